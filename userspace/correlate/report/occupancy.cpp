// SPDX-License-Identifier: MIT
//
// See occupancy.hpp. Times at depth zero and in the idle state are what the
// window leaves over.
#include "occupancy.hpp"

#include <bit>
#include <limits>
#include <numeric>

namespace lttng_gpu::report {
namespace {

constexpr std::size_t masks = 32; // of Life::known

using Changes = std::array<Depths, masks * Life::point_count>;

constexpr std::uint8_t queued = 1;
constexpr std::uint8_t submitted = 2;
constexpr std::uint8_t started = 4;
constexpr std::uint8_t completed = 8;

constexpr std::uint32_t place_of(std::uint8_t known, std::size_t point)
{
    return static_cast<std::uint32_t>(known * Life::point_count + point);
}

/// What each point of a life changes, for each set of known points: a phase
/// counts when both its ends are known.
constexpr Changes make_changes()
{
    Changes changes{};
    for (std::uint8_t known = 0; known < masks; ++known) {
        const auto add = [&](std::int32_t Depths::*phase, std::size_t from, std::size_t to) {
            ++(changes[place_of(known, from)].*phase);
            --(changes[place_of(known, to)].*phase);
        };
        const auto has = [&](unsigned points) { return (known & points) == points; };
        if (has(queued | submitted)) {
            add(&Depths::host_queue, 0, 1);
        }
        if (has(submitted | started)) {
            add(&Depths::device_queue, 1, 2);
        }
        if (has(started | completed)) {
            add(&Depths::execution, 2, 3);
        }
        if (has(submitted | completed)) {
            add(&Depths::device, 1, 3);
        } else if (has(submitted | Life::no_end)) {
            changes[place_of(known, 1)].device = 1;
        } else if (has(queued | Life::no_end)) {
            changes[place_of(known, 0)].host_queue = 1;
        }
    }
    return changes;
}

constexpr Changes changes = make_changes();

constexpr std::array<PackedDepths, changes.size()> pack_changes()
{
    std::array<PackedDepths, changes.size()> packed{};
    for (std::size_t place = 0; place < changes.size(); ++place) {
        packed[place] = PackedDepths{changes[place]};
    }
    return packed;
}

constexpr std::array<PackedDepths, changes.size()> packed_changes = pack_changes();

constexpr std::array<bool, changes.size()> make_effects()
{
    std::array<bool, changes.size()> effects{};
    for (std::size_t place = 0; place < changes.size(); ++place) {
        effects[place] = changes[place] != Depths{};
    }
    return effects;
}

constexpr std::array<bool, changes.size()> has_effect = make_effects();

} // namespace

void DepthTrack::grow(std::size_t depth)
{
    m_row_count = std::bit_ceil(depth + 1);
    m_rows.resize(m_row_count);
}

std::vector<std::int64_t> DepthTrack::times(std::int64_t Row::*queue, std::int64_t length) const
{
    std::vector<std::int64_t> times;
    for (const Row& row : m_rows) {
        times.push_back(row.*queue);
    }
    while (times.size() > 1 && times.back() == 0) {
        times.pop_back();
    }
    times[0] = length - std::accumulate(times.begin() + 1, times.end(), std::int64_t{0});
    return times;
}

std::vector<std::int64_t> DepthTrack::host_queue_times(std::int64_t length) const
{
    return times(&Row::host_queue, length);
}

std::vector<std::int64_t> DepthTrack::device_queue_times(std::int64_t length) const
{
    return times(&Row::device_queue, length);
}

std::int64_t DepthTrack::time_in(unsigned bits) const
{
    std::int64_t time = 0;
    for (unsigned state = 0; state < m_states.size(); ++state) {
        time += (state & bits) == bits ? m_states[state] : 0;
    }
    return time;
}

StateTimes DepthTrack::states(std::int64_t length) const
{
    StateTimes states;
    states.both = time_in(has_host | has_device);
    states.host_only = time_in(has_host) - states.both;
    states.device_only = time_in(has_device) - states.both;
    states.idle = length - states.host_only - states.device_only - states.both;
    return states;
}

std::uint32_t Occupancy::add_ring()
{
    m_rings.emplace_back().begin_at(m_begin);
    return static_cast<std::uint32_t>(m_rings.size() - 1);
}

std::uint32_t Occupancy::add_process(std::uint32_t ring)
{
    m_processes.push_back({ring, {}});
    m_processes.back().track.begin_at(m_begin);
    return static_cast<std::uint32_t>(m_processes.size() - 1);
}

void Occupancy::add(std::uint32_t process, const Life& life, std::int64_t settled)
{
    m_steps.reserve(Life::point_count);
    if (life.times[0] < m_frontier) {
        add_late(process, life);
    } else if (life.known == Life::all_known) {
        for (std::uint32_t point = 0; point < Life::point_count; ++point) {
            m_steps.push({life.times[point], process, place_of(Life::all_known, 0) + point});
        }
    } else {
        for (std::size_t point = 0; point < Life::point_count; ++point) {
            const std::uint32_t change = place_of(life.known, point);
            m_steps.push_if(has_effect[change], {life.times[point], process, change});
        }
    }
    m_settled = std::max(m_settled, settled);
    if (m_steps.is_full()) {
        settle();
    }
}

/// Nothing has changed on the ring since its latest step, so a life that comes
/// late can still be told to that extent.
void Occupancy::add_late(std::uint32_t process, const Life& life)
{
    bool is_cut = false;
    for (std::size_t point = 0; point < Life::point_count; ++point) {
        const std::uint32_t change = place_of(life.known, point);
        const Step step{life.times[point], process, change};
        if (has_effect[change] && step.time < m_frontier) {
            is_cut |= step.time < m_rings[m_processes[process].ring].since();
            apply({&step, 1});
        } else {
            m_steps.push_if(has_effect[change], step);
        }
    }
    m_out_of_order += is_cut ? 1 : 0;
}

void Occupancy::apply(std::span<const Step> steps)
{
    ProcessTrack* const processes = m_processes.data();
    DepthTrack* const rings = m_rings.data();
    for (const Step& step : steps) {
        ProcessTrack& process = processes[step.process];
        const PackedDepths& change = packed_changes[step.change];
        process.track.step(step.time, change);
        rings[process.ring].step(step.time, change);
    }
}

void Occupancy::settle()
{
    apply(m_steps.take_before(m_settled));
    m_frontier = std::max(m_frontier, m_settled);
}

void Occupancy::finish(std::int64_t end)
{
    m_settled = std::numeric_limits<std::int64_t>::max();
    settle();
    for (DepthTrack& ring : m_rings) {
        ring.advance(end);
    }
    for (ProcessTrack& process : m_processes) {
        process.track.advance(end);
    }
}

} // namespace lttng_gpu::report
