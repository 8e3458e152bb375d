// SPDX-License-Identifier: MIT
//
// How many jobs are in each phase over time, integrated for each ring and for
// each process on it. A job gives one step per point in time, which changes all
// its phases at once and the depths of its process and of its ring. Jobs come in
// order of their first times, so steps before the latest first time are settled:
// they are sorted in batches and folded into totals. Knows phases, not jobs.
#pragma once

#include "step_buffer.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace lttng_gpu::report {

/// Numbers of jobs in each phase, or by how much they change.
struct Depths {
    std::int32_t host_queue = 0;
    std::int32_t device_queue = 0;
    std::int32_t execution = 0;
    std::int32_t device = 0; // submitted to completed, known even where started is not

    friend bool operator==(const Depths&, const Depths&) = default;
};

/// The same in two words, so that all change by two additions: one phase in the
/// low half, one in the high. A depth is never negative, so no half borrows for long.
struct PackedDepths {
    std::uint64_t queues = 0;    // host queue, device queue
    std::uint64_t on_device = 0; // execution, device

    constexpr PackedDepths() = default;
    constexpr explicit PackedDepths(const Depths& depths)
        : queues{pack(depths.host_queue, depths.device_queue)}, on_device{pack(depths.execution,
                                                                               depths.device)}
    {
    }
    static constexpr std::uint32_t low(std::uint64_t word)
    {
        return static_cast<std::uint32_t>(word);
    }
    static constexpr std::uint32_t high(std::uint64_t word)
    {
        return static_cast<std::uint32_t>(word >> 32U);
    }

private:
    static constexpr std::uint64_t pack(std::int64_t low_half, std::int64_t high_half)
    {
        return static_cast<std::uint64_t>(low_half) +
               (static_cast<std::uint64_t>(high_half) << 32U);
    }
};

struct StateTimes {
    std::int64_t idle = 0;
    std::int64_t host_only = 0;
    std::int64_t device_only = 0;
    std::int64_t both = 0;
};

/// The points in time of a job and which of its phases are known to lie between.
struct Life {
    static constexpr std::size_t point_count = 4; // queued, submitted, started, completed
    static constexpr std::uint8_t all_known = 15;
    static constexpr std::uint8_t no_end = 16; // the last known phase lasts until the end

    std::array<std::int64_t, point_count> times{};
    std::uint8_t known = 0; // bit n: point n is known; and no_end
};

/// The depths of one ring or of one process on it, and how long each lasted.
class DepthTrack {
public:
    void step(std::int64_t time, const PackedDepths& change)
    {
        advance(time);
        m_depths.queues += change.queues;
        m_depths.on_device += change.on_device;
        // their number is a power of two, which either reaches when both together do
        const std::size_t both = PackedDepths::low(m_depths.queues | m_depths.queues >> 32U);
        if (both >= m_row_count) {
            grow(both);
        }
    }
    void advance(std::int64_t time)
    {
        const std::int64_t since = m_since;
        const std::int64_t now = std::max(time, since);
        const std::int64_t passed = now - since;
        const std::uint32_t host_queue = PackedDepths::low(m_depths.queues);
        Row* const rows = m_rows.data();
        m_since = now;
        rows[host_queue].host_queue += passed;
        rows[PackedDepths::high(m_depths.queues)].device_queue += passed;
        m_states[(host_queue != 0 ? has_host : 0U) |
                 (PackedDepths::low(m_depths.on_device) != 0 ? has_execution : 0U) |
                 (PackedDepths::high(m_depths.on_device) != 0 ? has_device : 0U)] += passed;
    }
    /// Time before this is folded into totals and cannot change any more.
    std::int64_t since() const { return m_since; }
    void begin_at(std::int64_t time) { m_since = time; }

    /// Nanoseconds at each depth, the index, of a window of this length.
    std::vector<std::int64_t> host_queue_times(std::int64_t length) const;
    std::vector<std::int64_t> device_queue_times(std::int64_t length) const;
    StateTimes states(std::int64_t length) const;
    /// At least one job executed.
    std::int64_t busy() const { return time_in(has_execution); }

private:
    static constexpr unsigned has_host = 1;
    static constexpr unsigned has_execution = 2;
    static constexpr unsigned has_device = 4;
    struct Row {
        std::int64_t host_queue;
        std::int64_t device_queue;
    };

    void grow(std::size_t depth);
    std::vector<std::int64_t> times(std::int64_t Row::*queue, std::int64_t length) const;
    /// All states with these bits.
    std::int64_t time_in(unsigned bits) const;

    std::int64_t m_since = 0;
    PackedDepths m_depths;
    std::size_t m_row_count = 4;
    std::vector<Row> m_rows = std::vector<Row>(m_row_count); // by depth
    std::array<std::int64_t, 8> m_states{};
};

class Occupancy {
public:
    /// Only the parts of lives at or after `begin` will be told.
    void begin_at(std::int64_t begin) { m_begin = m_settled = m_frontier = begin; }

    std::uint32_t add_ring();
    std::uint32_t add_process(std::uint32_t ring);

    /// Lives that come after this one are expected not to begin before `settled`.
    void add(std::uint32_t process, const Life& life, std::int64_t settled);
    void finish(std::int64_t end);

    const DepthTrack& ring(std::uint32_t ring) const { return m_rings[ring]; }
    const DepthTrack& process(std::uint32_t process) const { return m_processes[process].track; }
    /// Lives that came late and of which a part could not be counted.
    std::uint64_t out_of_order() const { return m_out_of_order; }

private:
    struct ProcessTrack {
        std::uint32_t ring;
        DepthTrack track;
    };

    void add_late(std::uint32_t process, const Life& life);
    void apply(std::span<const Step> steps);
    void settle();

    std::int64_t m_begin = 0;
    std::int64_t m_settled = 0;
    std::int64_t m_frontier = 0; // all steps before are applied
    StepBuffer m_steps;
    std::vector<DepthTrack> m_rings;
    std::vector<ProcessTrack> m_processes;
    std::uint64_t m_out_of_order = 0;
};

} // namespace lttng_gpu::report
