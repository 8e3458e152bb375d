// SPDX-License-Identifier: MIT
//
// What the simulated clients ask of the simulated machine: either random steps
// or a fixed list of them that is gone through again and again (see wsim.hpp).
#pragma once

#include "life.hpp"
#include "random.hpp"

namespace lttng_gpu::simulator {

struct Step {
    enum class Kind : std::uint8_t {
        Batch,    // gives a job to `ring`
        Delay,    // sleeps for `low`
        Period,   // sleeps until `low` after the loop's begin
        Sync,     // waits for the batch `offset` steps ago
        Priority, // of the context, from now on
        Skip,     // has no effect here but counts for offsets
    };

    Kind kind = Kind::Skip;
    std::uint32_t ring = 0;
    std::uint32_t context = 0; // the client's own number
    Time low = 0;              // execution time of a batch, or the length of a sleep
    Time high = 0;
    std::vector<std::int32_t> depends_on; // steps back, negative
    std::int32_t offset = 0;
    bool is_waited_for = false;
    std::uint8_t priority = 0;
};

struct Workload {
    std::uint32_t clients = 4;
    std::uint32_t jobs = 1000; // the machine stops when as many were queued
    unsigned depth = 6;        // jobs of one client at once
    Time think = 20'000;
    Time execution = 100'000;
    double dependency = 0.1;
    double wait = 0.1;
    double kill = 0;
    double hang = 0;
    std::uint32_t contexts_per_client = 2; // on each ring
    double high_priority = 0;              // of the clients
    std::vector<Step> script;              // empty: random steps
};

struct Hardware {
    std::vector<RingConfig> rings;
    std::uint64_t first_context = 100;
    std::uint64_t first_seqno = 1;       // near 2^32: it wraps
    bool has_colliding_contexts = false; // two contexts that differ above bit 31 only
    bool reuses_pointers = true;
    /// i915: requests of one context that are ready together go as one.
    bool has_coalescing = true;
    /// i915 before 5.4 took the engine from the running context before it gave the
    /// next; since then the next is given first (execlists_dequeue()).
    bool has_pending_ports = false;
};

/// Lets the clients run until all their jobs have ended.
World simulate(const Hardware& hardware, const Workload& workload, Random& random);

} // namespace lttng_gpu::simulator
