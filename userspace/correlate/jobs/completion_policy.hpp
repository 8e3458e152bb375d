// SPDX-License-Identifier: MIT
//
// A driver that has a say in how its jobs end, because it knows more of them than stages: i915
// carries jobs on others and takes them back. Asked only for the jobs that it keeps
// (JobTracker::keep()).
#pragma once

#include "open_jobs.hpp"

namespace lttng_gpu::model {

/// What is known of a job that has ended, before its place on the ring is given up.
struct SettledJob {
    bool may_have_stayed = false; // on the hardware, though it has no place in the ring's order
    bool has_submit_doubt = false;
    bool is_signaled_late = false; // its fence, some time after it has left the hardware
    bool lacks_end_event = false;  // which tells when it has left, and is recorded of others
};

class CompletionPolicy {
public:
    CompletionPolicy() = default;
    CompletionPolicy(const CompletionPolicy&) = delete;
    CompletionPolicy& operator=(const CompletionPolicy&) = delete;
    virtual ~CompletionPolicy() = default;

    /// It has completed, at a time that is known: the last moment to change its other times.
    virtual SettledJob settle(JobIndex job) = 0;
    /// It ends without a completion. False: no time of it is known, and it was dropped.
    virtual bool end_without_completion(JobIndex job) = 0;
    /// Its times are decided; it still is among those of its context.
    virtual void on_closed(JobIndex job) = 0;
    /// Its fence was signaled while it was open.
    virtual void on_signaled(JobIndex job) = 0;
};

} // namespace lttng_gpu::model
