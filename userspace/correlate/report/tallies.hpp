// SPDX-License-Identifier: MIT
//
// What the report counts while jobs come, for each ring and for each process on
// a ring, found by number. Latencies are kept by process only: those of a ring
// are those of its processes. Texts are not looked up here.
#pragma once

#include "../jobs/job.hpp"
#include "../system/process_identity.hpp"
#include "depth_curve.hpp"
#include "interval_union.hpp"
#include "key_index.hpp"
#include "occupancy.hpp"
#include "report.hpp"
#include "span_union.hpp"

#include <vector>

namespace lttng_gpu::report {

/// Process and name of a thread; without a process id, the thread and its name.
struct ActorKey {
    Known<Pid> pid;
    Known<Tid> tid; // only where `pid` is unknown
    StringId comm;

    ActorKey() = default;
    explicit ActorKey(const model::Actor& actor)
        : pid{actor.pid}, tid{model::thread_without_pid(actor)}, comm{actor.comm}
    {
    }

    std::uint64_t hash() const
    {
        const auto process = static_cast<std::uint64_t>((*pid).value());
        return mix_hash(comm.value(), process ^ static_cast<std::uint64_t>((*tid).value()));
    }

    friend bool operator==(const ActorKey&, const ActorKey&) = default;
};

/// A sum of stretches of time, of which some end with the window, which has no end yet.
struct OpenSum {
    std::int64_t sum = 0;
    std::int64_t open = 0;

    /// Both from the begin of the window; no end: that of the window.
    void add(std::int64_t begin, std::optional<std::int64_t> end, std::int64_t times = 1)
    {
        if (!end) {
            sum -= begin * times;
            open += times;
        } else if (begin < *end) {
            sum += (*end - begin) * times;
        }
    }
    std::int64_t total(std::int64_t window) const { return sum + open * window; }
};

/// How long jobs may have been in a phase, beyond what is known; each job counts for itself.
struct UncertainTimes {
    OpenSum host_queue;
    OpenSum device_queue;
    SpanUnion execution; // of which only busy time is made
};

struct RingTally {
    RingId id;
    ToldMoments told;
    StallTally stall;
    UncertainTimes uncertain;
    DepthCurve curve;
    std::vector<std::uint32_t> processes; // their numbers
    WholeLatency latency;
    std::uint64_t start_inferred = 0;
    std::uint64_t start_unknown = 0;
    std::uint64_t completion_inferred = 0;
    std::uint64_t preemptions = 0;
    FaultCounts faults;
};

/// Distributions are made when the first of their facts comes: there may be a million rings.
struct WaitTally {
    LatencyDistribution* length = nullptr;
    LatencyDistribution* wake_up = nullptr;
    std::uint64_t inferred = 0;
};

struct ProcessTally {
    ActorKey actor;
    std::uint32_t ring = 0; // its number
    std::uint64_t jobs = 0;
    std::uint64_t without_times = 0; // of these
    LatencyDistribution* host_queue = nullptr;
    LatencyDistribution* device_queue = nullptr;
    LatencyDistribution* execution = nullptr;
    LatencyDistribution* dependencies = nullptr;
    LatencyDistribution* backend = nullptr;
    LatencyDistribution* observation = nullptr;
    LatencyDistribution* on_device = nullptr;
    WaitTally waits;
    IntervalUnion blocked;
};

class Tallies {
public:
    explicit Tallies(LatencyBudget& budget) : m_budget{budget} {}

    /// The number of a process on a ring, in all these tables. Both are added to
    /// `occupancy` when they are new.
    std::uint32_t find_or_add(RingId ring, const model::Actor& actor, Occupancy& occupancy);

    ProcessTally& process(std::uint32_t number) { return m_processes[number]; }
    RingTally& ring_of(const ProcessTally& process) { return m_rings[process.ring]; }
    const ProcessTally& process(std::uint32_t number) const { return m_processes[number]; }
    const std::vector<RingTally>& rings() const { return m_rings; }

    LatencyDistribution& made(LatencyDistribution*& distribution)
    {
        if (distribution == nullptr) [[unlikely]] {
            distribution = &m_budget.make();
        }
        return *distribution;
    }
    void add(LatencyDistribution*& distribution, Duration latency);

private:
    struct ProcessKey {
        RingId ring;
        ActorKey actor;

        std::uint64_t hash() const { return mix_hash(actor.hash(), ring.value()); }

        friend bool operator==(const ProcessKey&, const ProcessKey&) = default;
    };
    struct RingKey {
        RingId ring;

        std::uint64_t hash() const { return mix_hash(0, ring.value()); }

        friend bool operator==(const RingKey&, const RingKey&) = default;
    };

    LatencyBudget& m_budget;
    KeyIndex<RingKey> m_ring_index;
    KeyIndex<ProcessKey> m_process_index;
    std::vector<RingTally> m_rings;
    std::vector<ProcessTally> m_processes;
};

} // namespace lttng_gpu::report
