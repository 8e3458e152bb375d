// SPDX-License-Identifier: MIT
//
// What the statistics in a Perfetto file say of losses: the kernel's, of each CPU's ring
// buffer, and those of the service that collected the packets.
#include "index_builder.hpp"

#include <algorithm>
#include <set>

namespace lttng_gpu::trace::perfetto {

namespace proto = lttng_gpu::perfetto;

void IndexBuilder::add_kernel_losses(const proto::FtraceStats& stats, std::size_t sequence)
{
    Notes& notes = m_notes[sequence];
    const bool is_start = stats.phase() == proto::FtraceStats::START_OF_TRACE;
    for (const auto& cpu : stats.cpu_stats()) {
        const std::uint64_t lost = cpu.overrun() + cpu.commit_overrun() + cpu.dropped_events();
        const auto number = static_cast<std::uint32_t>(cpu.cpu());
        if (is_start) {
            notes.lost_at_start.try_emplace(number, lost);
        } else {
            notes.lost_at_end[number] = lost;
        }
    }
    m_index.sequences[sequence].has_old_events |= stats.preserve_ftrace_buffer();
}

void IndexBuilder::finish_sequence(std::size_t index)
{
    const Notes& notes = m_notes[index];
    Sequence& sequence = m_index.sequences[index];
    for (const auto& [cpu, lost] : notes.lost_at_end) {
        const auto start = notes.lost_at_start.find(cpu);
        if (start != notes.lost_at_start.end() && lost > start->second) {
            sequence.lost[cpu] = lost - start->second;
        }
    }
    if (!notes.first_pair) {
        sequence.counts_nanoseconds = !notes.has_other_clock; // or nobody knows what
        return;
    }
    if (__builtin_sub_overflow(notes.first_pair->boot, notes.first_pair->own,
                               &sequence.to_boot_time)) {
        sequence.counts_nanoseconds = false;
    }
    // Clocks that Perfetto does not know may count anything; over a second it shows.
    const double own =
        static_cast<double>(notes.last_pair.own) - static_cast<double>(notes.first_pair->own);
    const double boot =
        static_cast<double>(notes.last_pair.boot) - static_cast<double>(notes.first_pair->boot);
    constexpr double long_enough = 1e9;
    constexpr double most_off = 0.01;
    if (boot > long_enough && (own < boot * (1 - most_off) || own > boot * (1 + most_off))) {
        sequence.counts_nanoseconds = false;
    }
}

/// Only of the buffers that had events of ftrace, where that is told.
void IndexBuilder::add_service_losses()
{
    std::set<std::uint64_t> of_events;
    for (const LaneIndex& lane : m_index.lanes) {
        of_events.insert(m_index.sequences[lane.sequence].id);
    }
    std::set<int> buffers;
    for (const auto& writer : m_stats.writer_stats()) {
        if (of_events.count(writer.sequence_id()) != 0) {
            buffers.insert(static_cast<int>(writer.buffer()));
        }
    }
    bool has_overwritten = false;
    std::uint64_t lost = m_stats.chunks_discarded() + m_stats.invalid_packets();
    for (int index = 0; index < m_stats.buffer_stats_size(); ++index) {
        if (!buffers.empty() && buffers.count(index) == 0) {
            continue;
        }
        const auto& buffer = m_stats.buffer_stats(index);
        lost +=
            buffer.chunks_discarded() + buffer.trace_writer_packet_loss() + buffer.abi_violations();
        // What was overwritten or discarded could not be completed either, and is no further loss.
        if (buffer.chunks_overwritten() == 0 && buffer.chunks_discarded() == 0) {
            lost += buffer.patches_failed();
        }
        has_overwritten = has_overwritten || buffer.chunks_overwritten() > 0;
    }
    m_index.packets_lost = lost;
    m_index.has_lost_end = m_stats.final_flush_outcome() == proto::TraceStats::FINAL_FLUSH_FAILED;
    if (!has_overwritten && m_stats.buffer_stats_size() > 0) {
        for (Sequence& sequence : m_index.sequences) {
            sequence.has_lost_begin = false;
        }
    }
}

} // namespace lttng_gpu::trace::perfetto
