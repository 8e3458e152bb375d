// SPDX-License-Identifier: MIT
//
// The finished report as plain numbers, between the builder that computes it
// and the sinks that print it. Times are nanoseconds.
#pragma once

#include "../base/anomaly.hpp"
#include "latency.hpp"
#include "occupancy.hpp"

#include <string>

namespace lttng_gpu::report {

/// What the reader and the tracker met on the way, over the whole trace.
struct TraceAccount {
    std::uint64_t events_read = 0;
    std::uint64_t events_lost = 0;
    std::uint64_t packets_lost = 0;
    std::uint64_t losses_of_unknown_size = 0;
    AnomalyCounters anomalies;

    bool has_losses() const
    {
        return events_lost > 0 || packets_lost > 0 || losses_of_unknown_size > 0;
    }
};

struct QueuePhase {
    double depth_mean = 0;
    std::size_t depth_max = 0;
    std::vector<std::int64_t> times_by_depth;
    LatencySummary latency;
};

struct ExecutionPhase {
    std::int64_t busy = 0;
    double busy_ratio = 0;
    LatencySummary latency;
};

struct Phases {
    QueuePhase host_queue;
    QueuePhase device_queue;
    ExecutionPhase execution;
};

struct ProcessReport {
    std::optional<Pid> pid;
    std::string comm;
    std::uint64_t jobs = 0;
    Phases phases;
};

struct QueueReport {
    std::string device;
    std::string ring;
    std::string driver;
    std::uint64_t jobs = 0;
    std::uint64_t jobs_start_inferred = 0;
    std::uint64_t jobs_start_unknown = 0;
    std::uint64_t fifo_violations = 0;
    bool promises_order = true;
    Phases phases;
    StateTimes states;
    std::vector<ProcessReport> processes;
};

struct JobCounts {
    std::uint64_t complete = 0;
    std::uint64_t no_queue = 0;
    std::uint64_t no_submit = 0;
    std::uint64_t no_complete = 0;

    std::uint64_t all() const { return complete + no_queue + no_submit + no_complete; }
};

struct Report {
    Timestamp begin;
    Timestamp end;
    TraceAccount trace;
    JobCounts jobs;
    std::vector<QueueReport> queues;
};

} // namespace lttng_gpu::report
