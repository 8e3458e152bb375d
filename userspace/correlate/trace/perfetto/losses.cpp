// SPDX-License-Identifier: MIT
//
// What a Perfetto trace lacks, as gaps of its CPUs.
//
// The kernel overwrites its ring buffers before Perfetto reads them: a bundle says so, the
// statistics say how many events. Perfetto drops packets: a bundle tells when the one before
// it ended. Where packets are overwritten on purpose (the buffer is a ring), CPUs begin late.
#include "source.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::trace::perfetto {

void PerfettoSource::tell(const Lane& lane, Timestamp begin, Timestamp end, LossUnit unit,
                          std::optional<std::uint64_t> count, EventConsumer& consumer)
{
    consumer.on_loss({std::min(begin, end), end, {}, Cpu{lane.index->cpu}, unit, count});
}

/// The statistics count all gaps of a CPU together: the first one that is met gets the sum.
std::optional<std::uint64_t> PerfettoSource::take_lost(Lane& lane)
{
    return lane.lost ? std::optional{std::exchange(*lane.lost, 0)} : std::nullopt;
}

void PerfettoSource::tell_gaps(Lane& lane, const BundleHead& head, EventConsumer& consumer)
{
    if (head.unparsed) {
        lane.unparsed = time_of(lane, *head.unparsed).value_or(lane.time);
    }
    if (!lane.has_begun) {
        tell_begin(lane, head, consumer);
        return;
    }
    Timestamp known = lane.last;
    if (head.has_missing) {
        const auto resumed = head.resumed ? time_of(lane, *head.resumed) : std::nullopt;
        known = std::min(resumed.value_or(lane.time), lane.time);
        tell(lane, lane.last, known, LossUnit::Packets, {}, consumer);
    }
    if (head.has_lost) {
        tell(lane, known, lane.time, LossUnit::Events, take_lost(lane), consumer);
    }
}

/// Before its first bundle a CPU may have had others, that were overwritten.
void PerfettoSource::tell_begin(Lane& lane, const BundleHead& head, EventConsumer& consumer)
{
    const Sequence& sequence = m_index.sequences[lane.index->sequence];
    Timestamp begin = *m_totals.first;
    if (head.previous_end) {
        const auto end = *head.previous_end > 0 ? time_of(lane, *head.previous_end) : std::nullopt;
        begin = std::clamp(end.value_or(begin), begin, std::max(begin, lane.time));
    } else if (head.has_missing || sequence.has_lost_begin) {
        begin = std::max(begin, lane.time);
    }
    const bool is_on_purpose = head.has_lost && sequence.has_old_events;
    if (is_on_purpose) {
        begin = std::max(begin, lane.time);
    }
    if (begin > *m_totals.first) {
        tell(lane, *m_totals.first, begin, LossUnit::LateBegin, {}, consumer);
    }
    if (head.has_lost && !is_on_purpose) {
        tell(lane, begin, std::max(begin, lane.time), LossUnit::Events, take_lost(lane), consumer);
    }
}

/// Perfetto could not read a page of the kernel's to its end.
void PerfettoSource::tell_unparsed(Lane& lane, Timestamp until, EventConsumer& consumer)
{
    if (!lane.unparsed || until <= *lane.unparsed) {
        return;
    }
    const Timestamp begin = lane.has_begun ? std::max(*lane.unparsed, lane.last) : *lane.unparsed;
    tell(lane, begin, until, LossUnit::Events, {}, consumer);
    lane.unparsed.reset();
}

void PerfettoSource::end_lane(Lane& lane, EventConsumer& consumer)
{
    m_totals.events += lane.stream.take_others();
    const BundleHead head = lane.stream.take_head().value_or(BundleHead{});
    if (head.unparsed || lane.unparsed) {
        tell(lane, lane.last, lane.last, LossUnit::Events, {}, consumer);
        lane.unparsed.reset();
    }
    if (lane.index->is_before_gap || head.has_missing) {
        tell(lane, lane.last, lane.last, LossUnit::Packets, {}, consumer);
    }
    if (head.has_lost || lane.lost.value_or(0) > 0) {
        tell(lane, lane.last, lane.last, LossUnit::Events, take_lost(lane), consumer);
    }
}

/// What is told of no CPU's events: those of CPUs of which nothing came through, and packets
/// that the service lost or discarded.
void PerfettoSource::tell_unplaced(EventConsumer& consumer)
{
    const Timestamp end = m_totals.last.value_or(Timestamp{});
    for (std::size_t sequence = 0; sequence < m_index.sequences.size(); ++sequence) {
        for (const auto& [cpu, count] : m_index.sequences[sequence].lost) {
            const bool has_lane =
                std::any_of(m_lanes.begin(), m_lanes.end(), [&, number = cpu](const Lane& lane) {
                    return lane.index->sequence == sequence && lane.index->cpu == number;
                });
            if (!has_lane) {
                consumer.on_loss({end, end, {}, Cpu{cpu}, LossUnit::Events, count});
            }
        }
    }
    const Cpu any{m_index.lanes.empty() ? 0 : m_index.lanes.front().cpu};
    if (m_index.packets_lost > 0) {
        consumer.on_loss({end, end, {}, any, LossUnit::Packets, m_index.packets_lost});
    }
    if (m_index.has_lost_end) {
        consumer.on_loss({end, end, {}, any, LossUnit::Packets, {}});
    }
}

Expected<bool> PerfettoSource::finish(EventConsumer& consumer)
{
    if (std::exchange(m_is_finished, true)) {
        return false;
    }
    for (Lane& lane : m_lanes) {
        if (!lane.has_begun) { // bundles, but no event
            lane.last = m_totals.last.value_or(Timestamp{});
            end_lane(lane, consumer);
        }
    }
    tell_unplaced(consumer);
    const bool is_damaged = m_index.is_damaged ||
                            std::any_of(m_lanes.begin(), m_lanes.end(),
                                        [](const Lane& lane) { return lane.stream.is_damaged(); });
    const std::string path = m_file.path().string();
    if (is_damaged) {
        return Failure{{ErrorKind::DamagedTrace,
                        path + ": packets of the Perfetto trace are damaged or cut off"}};
    }
    if (m_undescribed > 0) {
        return Failure{
            {ErrorKind::DamagedTrace, path + ": nothing in the Perfetto trace describes " +
                                          std::to_string(m_undescribed) + " of its events"}};
    }
    return false;
}

} // namespace lttng_gpu::trace::perfetto
