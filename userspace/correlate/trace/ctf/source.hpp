// SPDX-License-Identifier: MIT
//
// The reader of LTTng's traces: all streams of all traces, each decoded into
// batches (ahead, on other threads, if there are any), merged by time. Equal
// times come in the order of traces, then of stream files.
#pragma once

#include "../../base/workers.hpp"
#include "../open_traces.hpp"
#include "../trace_discovery.hpp"
#include "stream_decoder.hpp"

#include <deque>
#include <map>
#include <memory>

namespace lttng_gpu::trace::ctf {

struct SourceOptions {
    Workers* workers = nullptr; // null: `threads` of its own
    unsigned threads = 1;
    std::optional<ReadBound> begin;
    std::optional<ReadBound> end;
};

class CtfSource final : public EventSource {
public:
    static Expected<std::unique_ptr<CtfSource>> open(const std::vector<TraceDirectory>& traces,
                                                     const std::vector<WantedEvent>& wanted,
                                                     const SourceOptions& options);
    ~CtfSource() override;

    Expected<bool> read_some(EventConsumer& consumer) override;
    /// The same for a consumer whose class is known when this is compiled, so that
    /// its functions become part of the loop. Include source_loop.hpp for it.
    template <typename Consumer> Expected<bool> read_some_into(Consumer& consumer);
    const SourceTotals& totals() const override { return x_totals; }
    std::optional<double> progress() const override;
    std::vector<std::pair<TraceId, std::string>> kernel_releases() const override
    {
        return x_kernel_releases;
    }
    std::vector<std::pair<TraceId, Duration>> clock_offsets() const override
    {
        return x_clock_offsets;
    }
    bool has_event(std::string_view name) const override;

private:
    struct Channel {
        Channel(StreamDecoder stream, std::size_t position)
            : decoder{std::move(stream)}, index{position}
        {
        }

        StreamDecoder decoder;
        std::size_t index;
        std::unique_ptr<Batch> current = std::make_unique<Batch>();
        std::size_t next_record = 0;
        // under the source's mutex
        std::deque<std::unique_ptr<Batch>> ready;
        std::vector<std::unique_ptr<Batch>> empty;
        bool is_decoding = false;
        bool is_over = false;
    };
    struct Head { // of the merge
        std::int64_t time = 0;
        std::size_t index = 0; // of the channel, which decides between equal times
        Channel* channel = nullptr;
    };

    explicit CtfSource(const SourceOptions& options);

    Expected<void> add_trace(const TraceDirectory& directory,
                             const std::vector<WantedEvent>& wanted);
    Expected<void> add_streams(const std::filesystem::path& directory, const TracePlan& plan,
                               TraceId id);
    TraceId trace_id(const Schema& schema, const std::filesystem::path& directory);
    void set_range();
    void start();
    void find_late_begins();
    bool next_batch(Channel& channel);
    void schedule(Channel& channel);
    void decode_ahead(Channel& channel);
    void account(const Batch& batch);
    static bool is_before(const Head& left, const Head& right)
    {
        return left.time != right.time ? left.time < right.time : left.index < right.index;
    }
    /// The stream that comes after the first one.
    Head find_second() const
    {
        if (x_heap.size() <= 2) {
            return x_heap.size() == 2 ? x_heap[1] : Head{};
        }
        return is_before(x_heap[1], x_heap[2]) ? x_heap[1] : x_heap[2];
    }
    template <typename Consumer>
    std::size_t emit(Channel& channel, const Head& second, Consumer& consumer);
    void read_values(const Record& record, const Batch& batch);
    void read_simple_values(const Record& record);
    /// The head of the heap has become later, or is gone.
    void sift_down()
    {
        if (x_heap.size() == 2) {
            if (is_before(x_heap[1], x_heap[0])) {
                std::swap(x_heap[0], x_heap[1]);
            }
        } else if (x_heap.size() > 2) {
            sift_down_far();
        }
    }
    void sift_down_far();
    Expected<bool> conclude() const;

    SourceOptions x_options;
    std::unique_ptr<Workers> x_own_workers;
    std::vector<std::unique_ptr<TracePlan>> x_plans;
    std::deque<MappedFile> x_files;
    std::vector<std::unique_ptr<Channel>> x_channels;
    std::vector<Head> x_heap;
    // The event being handed out.
    std::vector<FieldValue> x_slots;
    RawEvent x_event;
    const EventPlan* x_dense_plan = nullptr; // the slots have the kinds of this one
    std::map<std::string, TraceId> x_traces; // by UUID, identity or path
    std::vector<std::pair<TraceId, std::string>> x_kernel_releases;
    std::vector<std::pair<TraceId, Duration>> x_clock_offsets;
    std::mutex x_mutex; // of the channels' queues
    SourceTotals x_totals;
    std::uint64_t x_bytes_read = 0;
    std::uint64_t x_bytes = 0;
    std::optional<Error> x_fault;
    std::uint64_t x_more_faults = 0;
    std::vector<Loss> x_late_begins; // told before anything else
    bool x_is_started = false;
};

} // namespace lttng_gpu::trace::ctf
