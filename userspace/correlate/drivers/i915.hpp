// SPDX-License-Identifier: MIT
//
// What i915's events remember: the engines, and of each request what is no stage of a job. A
// request is written to the ring of its context (execute), and that ring is given to a port of the
// engine (in), perhaps by a later request of the context that carries it; taken off it again (out),
// unfinished requests may be unwound and written once more.
#pragma once

#include "../jobs/completion_policy.hpp"
#include "../jobs/per_job.hpp"
#include "event_family.hpp"
#include "i915_engines.hpp"

namespace lttng_gpu::model {

struct I915Job {
    KnownTime executed;
    KnownTime unwound;              // perhaps taken back, with its carrier
    std::uint32_t global_seqno = 0; // up to 5.1
    bool is_unwound_sure = false;
    bool is_rewritten = false;     // executed again, `out` has not told since when
    bool has_submit_doubt = false; // given back and again in a gap, perhaps
    std::uint8_t given = 0;        // times in the ports
    std::uint8_t given_before = 0; // those of `given` before it was executed again
    std::uint8_t port = 0;         // the last one
};

class I915 final : public FamilyState, public CompletionPolicy {
public:
    explicit I915(EventContext& context);

    SettledJob settle(JobIndex job) override;
    bool end_without_completion(JobIndex job) override;
    void on_closed(JobIndex job) override;
    void on_signaled(JobIndex job) override;

    /// The request's job, which is kept from now on. no_job stays that.
    JobIndex keep(JobIndex job)
    {
        if (job != no_job) {
            jobs.keep(job, m_keeper);
        }
        return job;
    }
    /// Events that tell of a request itself.
    StepSet told_by() const
    {
        return set_of(queue) | set_of(add) | set_of(execute) | set_of(in) | set_of(guc_submit);
    }
    bool has_signals(TraceId trace) { return m_signals[trace]; }

    Step queue;
    Step add;
    Step execute;
    Step in;
    Step guc_submit;
    Step out;
    KeySpace number; // ring and the engine's number, before v4.12
    WaitSource wait_source;
    I915Engines engines;
    PerJob<I915Job> requests;

private:
    bool is_submission_in_doubt(JobIndex job, const I915Job& request);
    bool is_signaled_late(JobIndex job, const I915Job& request);
    void forget_doubtful_submission(JobIndex job, I915Job& request);
    void submit_executed(JobIndex job, const I915Job& request);
    void doubt_overtaken(JobIndex completed);

    std::uint8_t m_keeper;
    PerTrace<bool> m_signals; // of fences of requests were seen
};

} // namespace lttng_gpu::model
