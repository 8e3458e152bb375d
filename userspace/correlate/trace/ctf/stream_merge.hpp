// SPDX-License-Identifier: MIT
//
// All streams of all traces, each decoded into batches (ahead, on other threads,
// if there are any), put together window by window. A window ends at the time that
// the first of the batches at hand has come to. Equal times come in the order of the
// streams.
#pragma once

#include "../../base/workers.hpp"
#include "merged_window.hpp"
#include "sorted_runs.hpp"
#include "stream_decoder.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <queue>

namespace lttng_gpu::trace::ctf {

class StreamMerge {
public:
    /// With workers, batches are decoded ahead by them.
    explicit StreamMerge(Workers* workers) : m_workers{workers} {}
    StreamMerge(const StreamMerge&) = delete;
    StreamMerge& operator=(const StreamMerge&) = delete;
    ~StreamMerge();

    void add(StreamDecoder decoder);
    /// Before the first window.
    template <typename Visit> void for_each_decoder(Visit visit)
    {
        for (const auto& channel : m_channels) {
            visit(channel->decoder);
        }
    }

    /// Fills a window that has been cleared with what comes next, perhaps nothing. To be
    /// called by one thread at a time.
    void fill(Window& window);

private:
    struct Channel {
        Channel(StreamDecoder stream, std::size_t stream_index)
            : decoder{std::move(stream)}, index{stream_index}
        {
        }

        StreamDecoder decoder;
        std::size_t index; // in the order of the streams
        std::unique_ptr<Batch> current = std::make_unique<Batch>();
        std::size_t next_record = 0;
        std::int64_t reached = INT64_MIN; // nothing earlier comes behind the current batch
        bool is_done = false;             // all records are taken, and no batch comes
        // under the mutex
        std::deque<std::unique_ptr<Batch>> ready;
        std::vector<std::unique_ptr<Batch>> empty;
        bool is_decoding = false;
        bool is_over = false;
    };

    struct Place {
        std::int64_t time;
        Channel* channel;
        bool operator>(const Place& other) const
        {
            return time != other.time ? time > other.time : channel->index > other.channel->index;
        }
    };
    /// The earliest is on top, of equal ones that of the first stream: what a window costs does
    /// not grow with the number of streams that have nothing for it.
    using Places = std::priority_queue<Place, std::vector<Place>, std::greater<>>;

    void start();
    bool refill(Window& window);
    bool is_settled(Channel& channel, Window& window);
    void next_batch(Channel& channel, Window& window);
    void schedule(Channel& channel);
    void decode_ahead(Channel& channel);
    Channel& find_first_to_end();
    void note_next(Channel& channel);
    void collect_until(std::int64_t end_time);
    void take_run(Channel& channel, const Channel& first, Window& window);
    static void keep_values(Batch& batch, std::size_t begin, std::size_t end, Window& window);

    Workers* m_workers;
    std::vector<std::unique_ptr<Channel>> m_channels;
    std::vector<Channel*> m_used_up; // the batch at hand has no record left
    std::vector<Channel*> m_taking;  // has something for this window
    Places m_next;                   // next records; of every stream that has one at hand
    Places m_ends;                   // what streams have reached, also what they had
    std::size_t m_live = 0;          // streams that are not done
    RunMerge m_merge;
    std::vector<Run> m_runs;
    std::mutex m_mutex; // of the channels' queues
    bool m_is_started = false;
};

} // namespace lttng_gpu::trace::ctf
