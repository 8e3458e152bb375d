// SPDX-License-Identifier: MIT
//
// One run of a scenario: simulate, record, distort, correlate, compare. The seed
// decides everything.
#pragma once

#include "check.hpp"
#include "feed.hpp"

namespace lttng_gpu::simulator {

struct Episode {
    World world;
    Stream whole;
    Stream kept;
};

Episode make_episode(const Scenario& scenario, std::uint64_t seed, std::uint32_t jobs);

/// Complaints come with the job's events in their words, the first few at least.
std::vector<Complaint> run_episode(const Scenario& scenario, const Feed& feed, std::uint64_t seed,
                                   std::uint32_t jobs, Tally& tally);

} // namespace lttng_gpu::simulator
