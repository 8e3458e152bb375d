// SPDX-License-Identifier: MIT
//
// All streams of all traces, each decoded into batches (ahead, on other threads,
// if there are any), put together window by window. A window ends at the time that
// the first of the batches at hand has come to. Equal times come in the order of the
// streams.
#pragma once

#include "../../base/workers.hpp"
#include "run_merge.hpp"
#include "stream_decoder.hpp"
#include "window.hpp"

#include <deque>
#include <memory>

namespace lttng_gpu::trace::ctf {

class StreamMerge {
public:
    /// With workers, batches are decoded ahead by them.
    explicit StreamMerge(Workers* workers) : x_workers{workers} {}
    StreamMerge(const StreamMerge&) = delete;
    StreamMerge& operator=(const StreamMerge&) = delete;
    ~StreamMerge();

    void add(StreamDecoder decoder);
    /// Before the first window.
    template <typename Visit> void for_each_decoder(Visit visit)
    {
        for (const auto& channel : x_channels) {
            visit(channel->decoder);
        }
    }

    /// Fills a window that has been cleared with what comes next, perhaps nothing. To be
    /// called by one thread at a time.
    void fill(Window& window);

private:
    struct Channel {
        explicit Channel(StreamDecoder stream) : decoder{std::move(stream)} {}

        StreamDecoder decoder;
        std::unique_ptr<Batch> current = std::make_unique<Batch>();
        std::size_t next_record = 0;
        std::int64_t reached = INT64_MIN; // nothing earlier comes behind the current batch
        // under the mutex
        std::deque<std::unique_ptr<Batch>> ready;
        std::vector<std::unique_ptr<Batch>> empty;
        bool is_decoding = false;
        bool is_over = false;
    };

    void start();
    bool refill(Window& window);
    void next_batch(Channel& channel, Window& window);
    void schedule(Channel& channel);
    void decode_ahead(Channel& channel);
    std::size_t find_first_to_end() const;
    static void keep_values(Batch& batch, std::size_t begin, std::size_t end, Window& window);

    Workers* x_workers;
    std::vector<std::unique_ptr<Channel>> x_channels;
    std::vector<Channel*> x_live; // in the order of the streams
    RunMerge x_merge;
    std::vector<Run> x_runs;
    std::mutex x_mutex; // of the channels' queues
    bool x_is_started = false;
};

} // namespace lttng_gpu::trace::ctf
