// SPDX-License-Identifier: MIT
//
// A job as the layers above see it: decided, with every time either known or
// empty. This is the only header of this layer, beside the ring table, that
// the report layer includes.
#pragma once

#include "../base/gpu_event.hpp"

namespace lttng_gpu::model {

enum class Basis : std::uint8_t { Unknown, Observed, Inferred };

enum class JobStatus : std::uint8_t {
    Complete,
    NoQueue,
    NoSubmit,
    NoComplete,
    NoTimes, // the call that made it was seen; the device's times are not known
};

/// How an execution interval ended, where its times alone do not say it.
enum class Ending : std::uint8_t {
    Normal,
    Preempted, // another interval follows; `completed` is when this one ended
    Lost,      // its events lie in a gap of the trace
};

/// What the driver said went wrong with a job.
enum class Fault : std::uint8_t { None, TimedOut, Error, Banned };

/// How it is known which API call made a job.
enum class CallBasis : std::uint8_t {
    Unknown,
    SameThread,   // the thread that queued it was in the call
    HelperThread, // a thread of the driver queued it, and all other calls were over
    OnlyCommand,  // a thread of the driver queued it, and the process had one command under way
    Estimated,    // a thread of the driver queued it, and this call is likely; nothing proves it
};

/// One execution interval of a job; nearly all jobs have one only.
struct Job {
    Known<RingId> ring;
    FenceId fence;
    Actor actor;
    Known<Tid> submitter; // the thread that gave it to its ring, where that is asked for
    KnownTime queued;
    KnownTime runnable; // its dependencies were resolved
    KnownTime submitted;
    KnownTime started;
    KnownTime completed;
    KnownTime observed; // a CPU waiter learned of the completion
    KnownTime called;   // the API call that made it returned; no time of the job
    /// Of a stage of which no event was seen: it was reached then or before, as later events of
    /// the same entity or fence context prove. No times of the job.
    KnownTime submitted_by;
    KnownTime completed_by;
    Basis started_basis = Basis::Unknown;
    Basis completed_basis = Basis::Unknown;
    StringId api_call;       // that led to it, of several the last; no text: unknown
    StringId debug_group;    // the innermost that the program had open then; no text: none
    std::uint64_t bytes = 0; // that a command of an API moves; 0: none, or nothing tells
    /// Times were of another clock and may each be off by up to this.
    KnownDuration clock_error;
    Ending ending = Ending::Normal;
    Fault fault = Fault::None;
    CallBasis api_call_basis = CallBasis::Unknown;
    std::uint16_t api_calls = 0; // that were merged into it; 0: no call is known
    std::uint16_t interval = 0;  // 0 for the first
    bool is_last = true;         // the interval by which the job is counted
    /// Still open at the end of a trace without losses, on a ring that was seen
    /// to complete: it occupies its queue until the end.
    bool is_alive_at_end = false;
};

/// Each job has one status; of several missing times the earliest names it.
constexpr JobStatus status_of(const Job& job)
{
    if (!job.queued) {
        return job.called && job.api_call != StringId{} ? JobStatus::NoTimes : JobStatus::NoQueue;
    }
    if (!job.submitted) {
        return JobStatus::NoSubmit;
    }
    return job.completed ? JobStatus::Complete : JobStatus::NoComplete;
}

/// Every job has at least one known time, or a call that made it.
constexpr Timestamp first_time(const Job& job)
{
    if (job.queued) {
        return *job.queued;
    }
    const auto known = job.submitted ? job.submitted : job.completed;
    return known ? *known : job.called.value_or(Timestamp{});
}

/// One that the trace does not name is no name.
constexpr void set_call(Job& job, StringId call, CallBasis basis, std::uint16_t merged = 1)
{
    job.api_call = call;
    job.api_call_basis = call != StringId{} ? basis : CallBasis::Unknown;
    job.api_calls = call != StringId{} ? merged : std::uint16_t{0};
}

/// A job that waits, or waited, for another fence.
struct Dependency {
    Known<RingId> ring; // of the job that waits
    FenceId job;
    Actor actor;
    FenceId waits_for;
    Known<RingId> producer_ring; // empty: the fence is of no job that we know
    Actor producer;
    Timestamp since;
    KnownTime until;          // the fence signaled or the job went on; empty: not seen
    bool is_blocking = false; // it held up the head of its queue
};

/// Jobs of which no event was seen, though others prove that there were some.
struct UnseenJobs {
    Known<RingId> ring; // empty: unknown
    TraceId trace;
    std::uint64_t count = 0;
    Timestamp begin; // they were queued then or later
    Timestamp end;   // and ended then or before
};

/// A thread slept until a fence was signaled.
struct Wait {
    Actor actor;
    FenceId fence;
    Known<RingId> ring; // of the job that the fence ends, if known
    Timestamp begin;
    Timestamp end;
    KnownTime signaled; // when the fence was, if seen
    /// No event says for what it was; the commands of which the thread learned then tell it.
    bool is_inferred = false;
};

/// When a program learned that a job of one of its calls had ended.
struct CompletionNotice {
    StringId call;
    bool is_command = false; // a command of the API, else a job of the kernel's driver
    Timestamp counted;       // the job counts in a window that has this time
    Timestamp completed;
    Timestamp learned; // not before that
};

struct Frame;        // calls/frame.hpp
struct ReturnedCall; // calls/frame.hpp

class JobSink {
public:
    JobSink() = default;
    JobSink(const JobSink&) = delete;
    JobSink& operator=(const JobSink&) = delete;
    virtual ~JobSink() = default;

    /// Intervals come in order of their first known time.
    virtual void on_job(const Job& job) = 0;
    /// In order of `end` and `until`; not in step with the jobs. Calls are in that order for each
    /// thread only.
    virtual void on_dependency(const Dependency&) {}
    virtual void on_wait(const Wait&) {}
    virtual void on_unseen(const UnseenJobs&) {}
    virtual void on_frame(const Frame&) {}
    virtual void on_api_call(const ReturnedCall&) {}
    /// In no order.
    virtual void on_completion_notice(const CompletionNotice&) {}
};

/// For a reading that is only about the capture itself.
class NullSink final : public JobSink {
public:
    void on_job(const Job&) override {}
};

} // namespace lttng_gpu::model
