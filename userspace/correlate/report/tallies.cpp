// SPDX-License-Identifier: MIT
//
// See tallies.hpp.
#include "tallies.hpp"

namespace lttng_gpu::report {

std::uint32_t Tallies::find_or_add(RingId ring, const model::Actor& actor, Occupancy& occupancy)
{
    const ProcessKey key{ring, ActorKey{actor}};
    const std::uint32_t number = x_process_index.find_or_add(key);
    if (number < x_processes.size()) {
        return number;
    }
    const std::uint32_t ring_number = x_ring_index.find_or_add({ring});
    if (ring_number == x_rings.size()) {
        x_rings.emplace_back().id = ring;
        occupancy.add_ring();
    }
    x_rings[ring_number].processes.push_back(number);
    occupancy.add_process(ring_number);
    ProcessTally& process = x_processes.emplace_back();
    process.actor = key.actor;
    process.ring = ring_number;
    return number;
}

void Tallies::add(LatencyDistribution*& distribution, Duration latency)
{
    made(distribution).add(latency);
    x_budget.on_added(1);
}

} // namespace lttng_gpu::report
