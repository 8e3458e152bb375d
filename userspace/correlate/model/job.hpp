// SPDX-License-Identifier: MIT
//
// A job as the layers above see it: decided, with every time either known or
// empty. This is the only header of this layer, beside the ring table, that
// the report layer includes.
#pragma once

#include "gpu_event.hpp"

namespace lttng_gpu::model {

enum class Basis : std::uint8_t { Unknown, Observed, Inferred };

enum class JobStatus : std::uint8_t { Complete, NoQueue, NoSubmit, NoComplete };

struct Job {
    std::optional<RingId> ring;
    FenceId fence;
    Actor actor;
    std::optional<Timestamp> queued;
    std::optional<Timestamp> submitted;
    std::optional<Timestamp> started;
    std::optional<Timestamp> completed;
    Basis started_basis = Basis::Unknown;
    /// Still open at the end of a trace without losses, on a ring that was seen
    /// to complete: it occupies its queue until the end.
    bool is_alive_at_end = false;

    Basis completed_basis() const { return completed ? Basis::Observed : Basis::Unknown; }
};

/// Each job has one status; of several missing times the earliest names it.
constexpr JobStatus status_of(const Job& job)
{
    if (!job.queued) {
        return JobStatus::NoQueue;
    }
    if (!job.submitted) {
        return JobStatus::NoSubmit;
    }
    return job.completed ? JobStatus::Complete : JobStatus::NoComplete;
}

/// Every job has at least one known time.
constexpr Timestamp first_time(const Job& job)
{
    if (job.queued) {
        return *job.queued;
    }
    return job.submitted ? *job.submitted : job.completed.value_or(Timestamp{});
}

class JobSink {
public:
    JobSink() = default;
    JobSink(const JobSink&) = delete;
    JobSink& operator=(const JobSink&) = delete;
    virtual ~JobSink() = default;

    /// Jobs come in order of their first known time.
    virtual void on_job(const Job& job) = 0;
};

} // namespace lttng_gpu::model
