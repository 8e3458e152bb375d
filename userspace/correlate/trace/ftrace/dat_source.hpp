// SPDX-License-Identifier: MIT
//
// The reader of trace.dat: the streams of all CPUs and buffers, merged by time. It does
// not use libtracecmd, which trusts the lengths in the file and does not tell what was
// lost; the tests compare with it.
#pragma once

#include "../lane_heap.hpp"
#include "dat_plan.hpp"
#include "dat_stream.hpp"

namespace lttng_gpu::trace::ftrace {

class DatSource final : public EventSource {
public:
    static Expected<std::unique_ptr<EventSource>> open(File file,
                                                       const std::vector<WantedEvent>& wanted);

    Expected<bool> read_some(EventConsumer& consumer) override;
    const SourceTotals& totals() const override { return m_totals; }
    std::optional<double> progress() const override;
    /// The kernel counted what was lost, of each CPU.
    bool has_told_losses() const override;
    std::vector<CpuCoverage> coverage() const override;

private:
    /// One CPU of one buffer with the record that comes next.
    struct Lane {
        explicit Lane(DatStream pages) : stream{std::move(pages)} {}

        DatStream stream;
        bool has_clock = true;
        bool has_begun = false;
        DatRecord record;
        Timestamp time;
        Timestamp last;
        std::uint64_t lost = 0; // told of so far
        bool has_unknown_loss = false;
        std::uint64_t lost_by_statistics = 0;
        bool has_statistics = false;
    };

    DatSource(File file, DatFile dat, DatPlans plans);

    Expected<void> add_lanes();
    bool advance(std::size_t number);
    std::optional<Timestamp> time_of(std::uint64_t ticks) const;
    void take(Lane& lane, EventConsumer& consumer);
    void tell_loss(Lane& lane, EventConsumer& consumer);
    void end_lane(Lane& lane, EventConsumer& consumer);
    void hand_out(const Lane& lane, const DatPlan& plan, EventConsumer& consumer);
    Expected<bool> finish();

    File m_file;
    DatFile m_dat;
    DatPlans m_plans;
    RecordReader m_reader;
    std::vector<Lane> m_lanes;
    LaneHeap m_heap; // of m_lanes
    std::vector<FieldValue> m_fields;
    SourceTotals m_totals;
    CoverageCounter m_coverage;
    std::optional<Timestamp> m_handed_out;
    std::uint64_t m_bytes = 0;
    bool m_is_started = false;
    bool m_is_finished = false;
};

} // namespace lttng_gpu::trace::ftrace
