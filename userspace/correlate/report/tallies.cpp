// SPDX-License-Identifier: MIT
//
// See tallies.hpp.
#include "tallies.hpp"

namespace lttng_gpu::report {

std::uint32_t Tallies::find_or_add(RingId ring, const model::Actor& actor, Occupancy& occupancy)
{
    const ProcessKey key{ring, ActorKey{actor}};
    const std::uint32_t number = m_process_index.find_or_add(key);
    if (number < m_processes.size()) {
        return number;
    }
    const std::uint32_t ring_number = m_ring_index.find_or_add({ring});
    if (ring_number == m_rings.size()) {
        m_rings.emplace_back().id = ring;
        occupancy.add_ring();
    }
    m_rings[ring_number].processes.push_back(number);
    occupancy.add_process(ring_number);
    ProcessTally& process = m_processes.emplace_back();
    process.actor = key.actor;
    process.ring = ring_number;
    return number;
}

void Tallies::add(LatencyDistribution*& distribution, Duration latency)
{
    made(distribution).add(latency);
    m_budget.on_added(1);
}

} // namespace lttng_gpu::report
