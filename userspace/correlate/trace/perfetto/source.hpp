// SPDX-License-Identifier: MIT
//
// The reader of Perfetto traces: the events of data source linux.ftrace, merged by time.
// A first walk makes an index (trace_index.hpp says how and why), a second merges the
// lanes like the CPUs of trace.dat, so memory is the index and one bundle of each CPU.
//
// Times are nanoseconds since 1970 by the trace's own snapshot of clocks, as LTTng's are,
// so that both can be read together; without a snapshot they are those of CLOCK_BOOTTIME.
// Of the rest of a Perfetto trace only names of processes and statistics are used.
#pragma once

#include "../lane_heap.hpp"
#include "event_plan.hpp"
#include "lane_stream.hpp"

namespace lttng_gpu::trace::perfetto {

class PerfettoSource final : public EventSource {
public:
    static Expected<std::unique_ptr<EventSource>> open(ftrace::File file,
                                                       const std::vector<WantedEvent>& wanted);

    Expected<bool> read_some(EventConsumer& consumer) override;
    const SourceTotals& totals() const override { return m_totals; }
    std::vector<std::pair<TraceId, TraceFacts>> trace_facts() const override;
    bool has_event(std::string_view name) const override;
    std::optional<double> progress() const override;
    std::vector<CpuCoverage> coverage() const override { return m_coverage.cpus(); }

private:
    struct Lane {
        Lane(const LaneIndex& lane, PlaceReader& places) : index{&lane}, stream{lane, places} {}

        const LaneIndex* index;
        LaneStream stream;
        std::optional<std::int64_t> offset; // from ticks to the source's time
        bool has_begun = false;
        LaneEvent event;
        Timestamp time;
        Timestamp last;
        std::optional<std::uint64_t> lost; // by the statistics, until it was told
        std::optional<Timestamp> unparsed; // from then on events of a page are missing
    };

    PerfettoSource(ftrace::File file, TraceIndex index, const std::vector<WantedEvent>& wanted);

    void add_lanes();
    bool advance(std::size_t number);
    static std::optional<Timestamp> time_of(const Lane& lane, std::uint64_t ticks);

    void take(Lane& lane, EventConsumer& consumer);
    void hand_out(const Lane& lane, const EventPlan& plan, EventConsumer& consumer);
    const EventPlan* decode(const Lane& lane);
    void note_names(std::uint32_t event);
    ContextValues context_of(const Lane& lane) const;

    // losses.cpp
    void tell_gaps(Lane& lane, const BundleHead& head, EventConsumer& consumer);
    void tell_begin(Lane& lane, const BundleHead& head, EventConsumer& consumer);
    void tell_unparsed(Lane& lane, Timestamp until, EventConsumer& consumer);
    void end_lane(Lane& lane, EventConsumer& consumer);
    void tell_unplaced(EventConsumer& consumer);
    static void tell(const Lane& lane, Timestamp begin, Timestamp end, LossUnit unit,
                     std::optional<std::uint64_t> count, EventConsumer& consumer);
    static std::optional<std::uint64_t> take_lost(Lane& lane);
    Expected<bool> finish(EventConsumer& consumer);

    ftrace::File m_file;
    TraceIndex m_index;
    PlaceReader m_places;
    EventPlans m_plans;
    std::vector<Lane> m_lanes;
    LaneHeap m_heap;                // of m_lanes
    std::vector<WireField> m_wire;  // of the event
    std::vector<FieldForm> m_forms; // of an event with names
    std::vector<FieldValue> m_values;
    SourceTotals m_totals;
    CoverageCounter m_coverage;
    std::optional<Timestamp> m_handed_out;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_undescribed = 0;
    bool m_is_started = false;
    bool m_is_finished = false;
};

} // namespace lttng_gpu::trace::perfetto
