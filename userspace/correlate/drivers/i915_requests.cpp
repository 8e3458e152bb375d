// SPDX-License-Identifier: MIT
//
// How requests of i915 end, see i915.hpp and job_keeper.hpp.
#include "i915.hpp"

namespace lttng_gpu::model {
namespace {

/// How far back a completion looks for requests that it must have overtaken.
constexpr int most_overtaken = 256;

} // namespace

I915::I915(EventContext& context)
    : FamilyState{context}, queue{jobs.add_step({Stage::Queued})}, add{jobs.add_step(
                                                                       {Stage::Queued})},
      execute{jobs.add_step({})}, in{jobs.add_step({Stage::Submitted})}, guc_submit{jobs.add_step(
                                                                             {Stage::Submitted})},
      out{jobs.add_step({Stage::Completed})}, number{jobs.add_key_space({})},
      wait_source{waits.add_source()}, requests{jobs.jobs()}, m_keeper{
                                                                  jobs.add_completion_policy(*this)}
{
}

/// The fence of a request is signaled some time after it has left the engine.
bool I915::is_signaled_late(JobIndex job, const I915Job& request)
{
    const StepSet known = set_of(queue) | set_of(add) | set_of(in) | set_of(guc_submit);
    const TrackedJob& tracked = jobs.at(job);
    return tracked.ended_by_fence && (request.executed || (tracked.steps & known) != 0);
}

bool I915::is_submission_in_doubt(JobIndex job, const I915Job& request)
{
    return request.has_submit_doubt || request.is_rewritten ||
           (request.unwound && jobs.is_lost_on_ring_since(jobs.at(job), *request.unwound));
}

/// It left the hardware, but the event that tells when is lost, or what tells
/// whether it came back: when it was given there the last time is unknown.
void I915::forget_doubtful_submission(JobIndex job, I915Job& request)
{
    const Job& times = jobs.at(job).job;
    if (!is_submission_in_doubt(job, request) || (!times.queued && !times.completed)) {
        return; // without any time it would have no place among the rows
    }
    jobs.forget_submission(job);
    request.executed.reset();
    request.has_submit_doubt = false;
    request.is_rewritten = false;
    request.unwound.reset();
}

/// What has no event of being given to the hardware, because another carried it,
/// was given when it was written to the ring. Once taken back it is not what the
/// hardware executes next, nor is its end when the next began.
void I915::submit_executed(JobIndex job, const I915Job& request)
{
    TrackedJob& tracked = jobs.at(job);
    if (!request.executed || tracked.job.submitted || !tracked.job.ring) {
        return;
    }
    jobs.submit(job, *request.executed, *tracked.job.ring);
    if (request.unwound) {
        jobs.leave_ring(job);
    }
}

/// Requests end in the order of their context. One that is still open when
/// a later one ends was seen too late: when either began is not known.
void I915::doubt_overtaken(JobIndex completed)
{
    OpenJobs& all = jobs.jobs();
    if (all[completed].timeline == no_job) {
        return;
    }
    JobIndex other = all.oldest_of(all[completed].timeline);
    for (int count = 0; other != no_job && other != completed && count < most_overtaken; ++count) {
        const bool is_before = all.is_before(other, completed);
        if (is_before && all[other].is_in_fifo) {
            all[other].has_start_doubt = true;
            all[completed].has_start_doubt = true;
        } else if (is_before && requests.of(other).unwound) {
            all[completed].has_start_doubt = true; // it had ended before it was taken back
        }
        other = all[other].newer;
    }
}

SettledJob I915::settle(JobIndex job)
{
    TrackedJob& tracked = jobs.at(job);
    I915Job& request = requests.of(job);
    // one that is taken back in the moment of its end had ended before that
    if (tracked.job.ring && jobs.fifo(*tracked.job.ring).is_preemptive() &&
        !jobs.has_seen(tracked.trace, set_of(out))) {
        tracked.has_start_doubt = true; // when others were taken off the ports is not told
    }
    SettledJob settled;
    settled.may_have_stayed =
        (tracked.has_start_doubt || request.unwound == *tracked.job.completed) &&
        (tracked.job.submitted || request.executed);
    settled.has_submit_doubt = is_submission_in_doubt(job, request);
    if (request.executed) {
        doubt_overtaken(job);
    }
    forget_doubtful_submission(job, request);
    submit_executed(job, request);
    settled.is_signaled_late = is_signaled_late(job, request);
    // its `out` is missing
    settled.lacks_end_event = settled.is_signaled_late && (tracked.steps & set_of(in)) != 0 &&
                              jobs.has_gaps(tracked.trace) &&
                              jobs.has_seen(tracked.trace, set_of(out));
    return settled;
}

bool I915::end_without_completion(JobIndex job)
{
    I915Job& request = requests.of(job);
    if (!jobs.at(job).job.queued && is_submission_in_doubt(job, request)) {
        anomalies.count(Anomaly::SubmissionInDoubt); // no time of it is known
        jobs.drop(job);
        return false;
    }
    forget_doubtful_submission(job, request);
    submit_executed(job, request);
    return true;
}

/// Each request is added and executed, with an event of each (i915_request.c:
/// __i915_request_queue(), __i915_request_submit()). `submit` is no evidence: by a coarse clock it
/// may come before `add`.
void I915::on_closed(JobIndex closed)
{
    const TrackedJob& tracked = jobs.at(closed);
    if ((tracked.steps & (told_by() | set_of(out))) == 0) {
        return;
    }
    const Job& job = tracked.job;
    ContextFacts none;
    ContextFacts& facts =
        tracked.timeline != no_job ? jobs.jobs().facts_of(tracked.timeline) : none;
    MissingEvents missing{tracked.trace, Missing::Queue, 1, {}, {}, {}};
    missing.ring = job.ring;
    if (!job.queued && facts.queued && jobs.has_seen(tracked.trace, set_of(queue) | set_of(add))) {
        missing.when = {*facts.queued, std::max(*facts.queued, first_time(job))};
        jobs.report_missing(missing, Anomaly::QueueEventMissing);
    }
    const bool was_run = job.submitted || job.completed;
    const bool lacks_execute =
        (tracked.steps & set_of(execute)) == 0 && jobs.has_seen(tracked.trace, set_of(execute));
    if (job.queued && was_run && lacks_execute) {
        missing.what = Missing::Submit;
        missing.when = {*job.queued, latest_time(job).value_or(*job.queued)};
        jobs.report_missing(missing, Anomaly::SubmitEventMissing);
    }
    if (!job.completed && job.completed_by) {
        missing.what = Missing::Completion;
        missing.when = {job.submitted.value_or(first_time(job)), *job.completed_by};
        missing.run = UnseenRun{missing.when, *job.completed_by};
        jobs.report_missing(missing, Anomaly::CompletionEventMissing);
    }
    facts.queued = job.queued ? job.queued : facts.queued;
}

void I915::on_signaled(JobIndex job)
{
    const TrackedJob& tracked = jobs.at(job);
    if (requests.of(job).executed || (tracked.steps & set_of(add)) != 0) {
        m_signals[tracked.trace] = true;
    }
}

} // namespace lttng_gpu::model
