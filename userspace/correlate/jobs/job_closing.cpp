// SPDX-License-Identifier: MIT
//
// The part of the job tracker (job_tracker.hpp) by which jobs end: they complete,
// are preempted or given up. What becomes of their rows is in job_rows.cpp.
#include "job_tracker.hpp"

#include <algorithm>
#include <tuple>

namespace lttng_gpu::model {
namespace {

/// How far back a completion looks for jobs that it must have overtaken.
constexpr int most_overtaken = 256;

Anomaly anomaly_of(Fault fault)
{
    if (fault == Fault::TimedOut) {
        return Anomaly::JobTimedOut;
    }
    return fault == Fault::Banned ? Anomaly::JobBanned : Anomaly::JobFailed;
}

} // namespace

void JobTracker::complete(JobIndex job, Timestamp time, Basis basis)
{
    TrackedJob& tracked = m_jobs[job];
    if (tracked.state != JobState::Open) {
        return;
    }
    if (tracked.is_end_untold) {
        give_up(job, Anomaly::EndUntold);
        return;
    }
    const auto& previous = tracked.job.submitted ? tracked.job.submitted : tracked.job.queued;
    if (previous) {
        const Cpu cause = tracked.job.submitted ? tracked.submitted_on : tracked.queued_on;
        note_order(tracked.trace, {cause, *previous}, {m_cpu, time});
    }
    if (previous && time < *previous) {
        give_up(job, Anomaly::StageBeforePrevious);
        return;
    }
    tracked.job.completed = time;
    tracked.job.completed_basis = basis;
    tracked.completed_on = m_cpu;
    tracked.state = JobState::Closing;
    m_closing.push_back(job);
}

void JobTracker::advance_to(Timestamp now)
{
    if (!m_claims.empty()) {
        check_depths();
    }
    if (!m_closing.empty()) {
        settle_all();
    }
    if (m_knowledge != nullptr) {
        recall_missing(now);
    }
    m_now = now;
    m_signaled_now.clear();
    release();
}

/// The scheduler told of it by a pointer and its driver by its fence, or of its end both by a
/// pointer and by the fence, but what joins both is missing: it would be shown twice.
bool JobTracker::is_unjoined(const TrackedJob& tracked)
{
    const bool is_end_only =
        tracked.steps == m_steps.scheduler_done && tracked.timeline == no_job && !tracked.job.ring;
    if (is_end_only) {
        return has_gaps(tracked.trace);
    }
    return tracked.timeline == no_job && is_told_twice(tracked.trace, tracked.steps) &&
           (m_facts[tracked.trace].lacks_threads || is_lost_since(tracked.trace, tracked.begun));
}

/// The scheduler tells of a job by a pointer, in one of these steps, and its driver by the fence.
bool JobTracker::is_told_twice(TraceId trace, StepSet steps)
{
    const auto is_told = [&](StepSet by_pointer, StepSet by_fence) {
        return (steps & by_pointer) != 0 && has_seen(trace, by_fence);
    };
    return is_told(m_steps.queued_by_pointer, m_steps.queued_by_fence) ||
           is_told(m_steps.run_by_pointer, m_steps.run_by_fence);
}

/// Only its fence told of it, in a trace whose jobs are told of otherwise. But what
/// is sent in any case was perhaps sent in a gap or after the end.
bool JobTracker::is_dispensable(const TrackedJob& tracked, bool is_finishing)
{
    if (is_unjoined(tracked)) {
        return true;
    }
    if (!tracked.is_tentative || !has_seen(tracked.trace, tracked.told_by)) {
        return false;
    }
    return !tracked.is_sent || (!is_finishing && !is_lost_since(tracked.trace, tracked.begun));
}

/// Of completions at the same time those submitted first were first.
void JobTracker::settle_all()
{
    if (m_closing.size() > 1) {
        std::sort(m_closing.begin(), m_closing.end(), [this](JobIndex left, JobIndex right) {
            const auto order_of = [this](JobIndex job) {
                const TrackedJob& tracked = m_jobs[job];
                return std::tuple{tracked.job.ring, tracked.place, tracked.row};
            };
            return order_of(left) < order_of(right);
        });
    }
    for (std::size_t at = 0; at < m_closing.size(); ++at) {
        settle(m_closing[at]);
    }
    m_closing.clear();
}

void JobTracker::settle(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    const Timestamp time = *tracked.job.completed;
    if (is_dispensable(tracked)) {
        note_unmatched(tracked.trace, time); // its events may have been lost
        tracked.state = JobState::Open;
        drop_tentative(job, Anomaly::FenceWithoutJobEvents);
        return;
    }
    SettledJob settled;
    settled.may_have_stayed = tracked.has_start_doubt && tracked.job.submitted;
    if (CompletionPolicy* keeper = policy_of(tracked)) {
        settled = keeper->settle(job);
    }
    forget_untold_submission(tracked);
    if (tracked.is_in_fifo) {
        const bool is_ring_doubtful = is_hardware_fence_lost(tracked);
        tracked.has_start_doubt = tracked.has_start_doubt || is_ring_doubtful;
        settle_start(tracked, settled);
        if (!fifo(*tracked.job.ring).ended_unseen().empty()) {
            close_ended_unseen(*tracked.job.ring, time);
        }
        if (is_ring_doubtful || m_rings.at(*tracked.job.ring).is_split) {
            unseen_completion({}, tracked.trace, time); // it was on one of several rings
        }
        if (settled.is_signaled_late && is_lost_on_ring_since(tracked, tracked.last_event)) {
            fifo(*tracked.job.ring).note_unmatched(time); // `out`, which came earlier, may be lost
        }
    } else {
        settle_unplaced(tracked, settled);
    }
    if (tracked.wait_ended == time) {
        tracked.job.observed = time;
    }
    for (std::uint8_t at = 0; at < tracked.key_count; ++at) {
        if (tracked.keys[at].space == KeySpace::Fence) {
            m_dependencies.on_signaled(time, tracked.keys[at]);
        }
    }
    if (tracked.older != no_job) {
        close_overtaken(job);
    }
    close(job);
}

/// It ended, but when it was given to its ring was not seen.
void JobTracker::settle_unplaced(const TrackedJob& tracked, const SettledJob& settled)
{
    const Timestamp time = *tracked.job.completed;
    if (!tracked.ended_by_fence) {
        unseen_completion(tracked.job.ring, tracked.trace, time, true);
    } else if (is_told_by_fences(tracked)) {
        unseen_completion(tracked.job.ring, tracked.trace, time); // the scheduled fence is missing
    } else if (settled.has_submit_doubt || is_lost_since(tracked.trace, tracked.begun)) {
        unseen_completion({}, tracked.trace, time); // it may have run all the same
    } else if (settled.may_have_stayed) {
        unseen_completion(tracked.job.ring, tracked.trace, time);
    } else if (tracked.job.ring && has_gaps(tracked.trace)) {
        fifo(*tracked.job.ring).note_unmatched(time); // killed in its queue, or run unseen
    }
}

/// The submission that its fence told of does not count. A job that is killed in
/// its queue has its scheduled fence signaled as well, drm_sched_entity_kill_jobs_work();
/// and the ring of a job whose command was not seen is not known.
void JobTracker::forget_untold_submission(TrackedJob& tracked)
{
    const bool is_killed =
        tracked.is_submitted_by_fence && tracked.ended_by_fence && !tracked.is_tentative;
    const bool is_ring_untold = tracked.is_tentative && has_seen(tracked.trace, tracked.told_by);
    if (!tracked.is_in_fifo || (!is_killed && !is_ring_untold)) {
        return;
    }
    fifo(*tracked.job.ring).forget(tracked.place);
    tracked.is_in_fifo = false;
    if (is_killed) {
        tracked.job.submitted.reset();
    }
}

void JobTracker::leave_ring(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    if (tracked.is_in_fifo) {
        fifo(*tracked.job.ring).forget(tracked.place);
        tracked.is_in_fifo = false;
    }
}

void JobTracker::forget_submission(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    if (!tracked.job.queued && tracked.has_row) {
        m_order.drop(tracked.row);
        tracked.row = m_order.reserve(m_now, job);
    }
    leave_ring(job);
    m_anomalies.count(Anomaly::SubmissionInDoubt);
    tracked.job.submitted.reset();
}

/// Only hardware fences tell devices apart there, and that of this job may have told of
/// one that nobody knows yet.
bool JobTracker::is_hardware_fence_lost(const TrackedJob& tracked)
{
    return m_rings.at(*tracked.job.ring).has_hardware_fences &&
           (tracked.steps & m_steps.tells_ring) == 0 &&
           is_lost_since(tracked.trace, *tracked.job.submitted);
}

/// Where each unseen job is known, RingKnowledge has it, and gaps mean nothing more.
const RingFifo::Doubt& JobTracker::doubt_of_start(const TrackedJob& tracked)
{
    TraceState& facts = m_facts[tracked.trace];
    const auto& lost_until = facts.doubt.lost_until;
    if (!lost_until || !is_numbered(facts, {*tracked.job.submitted, *lost_until})) {
        return facts.doubt;
    }
    facts.doubt_but_losses = {{}, facts.doubt.unmatched_until};
    return facts.doubt_but_losses;
}

void JobTracker::settle_start(TrackedJob& tracked, const SettledJob& settled)
{
    const Timestamp time = *tracked.job.completed;
    tracked.is_in_fifo = false;
    if (tracked.job.completed_basis == Basis::Inferred) {
        // when it ended is not known well enough to say when the next began
        fifo(*tracked.job.ring).forget(tracked.place);
        return;
    }
    // without a device the name may be that of two rings
    const bool is_exact = m_rings.has_device(*tracked.job.ring) && !settled.is_signaled_late;
    const auto completion =
        fifo(*tracked.job.ring).complete(tracked.place, time, is_exact, doubt_of_start(tracked));
    if (tracked.ended_by_fence && is_of_scheduler(tracked) &&
        has_seen(tracked.trace, m_steps.scheduler_done)) {
        fifo(*tracked.job.ring).doubt_counts(); // the event of its end came before, and is missing
    }
    Ring& ring = m_rings.at(*tracked.job.ring);
    if (completion.is_violation && ring.is_fifo) {
        ++ring.fifo_violations;
    }
    // what ended before the signal may have been behind it
    const bool is_end_late = settled.lacks_end_event && completion.started != tracked.job.submitted;
    if (tracked.job.started_basis != Basis::Observed && !tracked.has_start_doubt && !is_end_late) {
        tracked.job.started = completion.started;
        tracked.job.started_basis = completion.started ? Basis::Inferred : Basis::Unknown;
    }
}

/// A ring that is in order has ended what was submitted to it before.
void JobTracker::close_ended_unseen(RingId ring, Timestamp time)
{
    const std::vector<std::uint32_t> ended = fifo(ring).ended_unseen(); // closing changes them
    for (const JobIndex job : ended) {
        TrackedJob& tracked = m_jobs[job];
        if (tracked.state == JobState::Open && is_of_scheduler(tracked)) {
            tracked.job.completed_by = time;
            give_up(job, Anomaly::CompletionNeverSeen);
        }
    }
}

/// Fences of one context are signaled in order of seqno: an open earlier job has ended, and its
/// completion was not seen. Of i915 that is used only where events were lost, as its requests
/// leave the hardware before their fences are signaled.
void JobTracker::close_overtaken(JobIndex completed)
{
    const Timestamp time = *m_jobs[completed].job.completed;
    const bool is_scheduler = is_of_scheduler(m_jobs[completed]);
    JobIndex other = m_jobs.oldest_of(m_jobs[completed].timeline);
    for (int count = 0; other != no_job && other != completed && count < most_overtaken; ++count) {
        const JobIndex next = m_jobs[other].newer;
        const TrackedJob& tracked = m_jobs[other];
        if (tracked.state == JobState::Open && m_jobs.is_before(other, completed) &&
            (is_scheduler || is_lost_since(tracked.trace, tracked.begun))) {
            m_jobs[other].job.completed_by = time;
            m_jobs[other].completed_on = m_jobs[completed].completed_on;
            give_up(other, Anomaly::CompletionNeverSeen);
        }
        other = next;
    }
}

/// Closes a job without a completion.
void JobTracker::give_up(JobIndex job, Anomaly reason)
{
    if (is_dispensable(m_jobs[job])) {
        drop_tentative(job, Anomaly::FenceWithoutJobEvents);
        return;
    }
    m_anomalies.count(reason);
    if (reason == Anomaly::FencePointerReused) {
        m_jobs[job].job.completed_by = m_now; // a fence is freed after it was signaled
    }
    if (m_jobs[job].job.completed_by ||
        is_lost_since(m_jobs[job].trace, begin_of_interval(m_jobs[job]))) {
        m_jobs[job].job.ending = Ending::Lost;
    }
    end_without_completion(job);
}

void JobTracker::end_without_completion(JobIndex job)
{
    if (CompletionPolicy* keeper = policy_of(m_jobs[job])) {
        if (!keeper->end_without_completion(job)) {
            return;
        }
    }
    leave_ring(job);
    TrackedJob& tracked = m_jobs[job];
    tracked.waiters = 0;
    close(job);
}

/// Its times are decided; its keys stay for a while.
void JobTracker::close(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    m_dependencies.on_gone_on(tracked.job.completed, job);
    count_missing(tracked);
    note_in_context(job);
    if (m_findings != nullptr && !m_trusts_tracer) {
        note_wholeness(tracked);
    }
    tracked.state = JobState::Done;
    tracked.is_held = tracked.waiters > 0 && tracked.job.completed && !tracked.job.observed;
    --m_open;
    m_jobs.unlink(job);
    if (tracked.has_pointer) {
        m_jobs.remove_pointers(job);
    }
    m_jobs.set_recent(job);
    if (!tracked.is_held) {
        decide(job);
    }
}

void JobTracker::count_missing(const TrackedJob& tracked)
{
    if (tracked.job.queued || tracked.is_tentative || (tracked.steps & m_steps.queued) != 0) {
        return;
    }
    m_anomalies.count(tracked.job.submitted ? Anomaly::SubmitOfUnknownJob
                                            : Anomaly::CompleteOfUnknownJob);
}

/// One that has no place on the ring ended there at this very time: it ran until now.
bool JobTracker::has_unplaced_end(RingId ring) const
{
    return std::any_of(m_closing.begin(), m_closing.end(), [&](JobIndex job) {
        return !m_jobs[job].is_in_fifo && m_jobs[job].job.ring == ring;
    });
}

void JobTracker::preempt(JobIndex job, Timestamp time, Basis basis)
{
    const JobIndex interval = m_jobs.allocate(m_jobs[job].trace, JobState::Interval);
    TrackedJob& tracked = m_jobs[job];
    Job& ended = m_jobs[interval].job;
    ended = tracked.job;
    ended.completed = time;
    ended.completed_basis = basis;
    ended.ending = Ending::Preempted;
    ended.is_last = false;
    if (tracked.is_in_fifo) {
        const auto completion =
            fifo(*ended.ring).preempt(tracked.place, time, m_facts[tracked.trace].doubt);
        if (!tracked.has_start_doubt && !has_unplaced_end(*ended.ring)) {
            ended.started = completion.started;
            ended.started_basis = completion.started ? Basis::Inferred : Basis::Unknown;
        }
        tracked.is_in_fifo = false;
    }
    const JobIndex last = tracked.last_interval;
    (last != no_job ? m_jobs[last].newer : tracked.first_interval) = interval;
    tracked.last_interval = interval;
    ++m_intervals;
    tracked.job.queued = time;
    tracked.job.runnable.reset();
    tracked.job.submitted.reset();
    ++tracked.job.interval;
    if (tracked.is_out_of_order) {
        hand_on_intervals(tracked);
    }
}

void JobTracker::drop_tentative(JobIndex job, Anomaly reason)
{
    m_anomalies.count(reason);
    drop(job);
}

void JobTracker::drop(JobIndex job)
{
    TrackedJob& tracked = m_jobs[job];
    if (tracked.timeline != no_job) { // its number is not missing
        note_number(m_jobs.facts_of(tracked.timeline), m_jobs.seqno_of(job));
    }
    if (tracked.is_in_fifo) {
        fifo(*tracked.job.ring).forget(tracked.place);
    }
    if (tracked.has_row) {
        m_order.drop(tracked.row);
    }
    m_dependencies.on_gone_on({}, job);
    --m_open;
    m_jobs.free(job);
}

void JobTracker::set_fault(JobIndex job, Fault fault)
{
    if (m_jobs[job].job.fault != fault) {
        m_anomalies.count(anomaly_of(fault));
        m_jobs[job].job.fault = fault;
    }
}

void JobTracker::end_wait(JobRef ref, Timestamp time)
{
    const JobIndex job = m_jobs.get(ref);
    if (job == no_job) {
        return;
    }
    TrackedJob& tracked = m_jobs[job];
    tracked.wait_ended = time;
    tracked.waiters -= tracked.waiters > 0 ? 1 : 0;
    if (tracked.job.completed && tracked.state != JobState::Interval && !tracked.job.observed) {
        tracked.job.observed = time;
    }
    if (tracked.is_held) {
        decide(job);
    }
}

void JobTracker::forget_waiters(JobRef ref)
{
    const JobIndex job = m_jobs.get(ref);
    if (job != no_job) {
        m_jobs[job].waiters = 0;
        if (m_jobs[job].is_held) {
            decide(job);
        }
    }
}

} // namespace lttng_gpu::model
