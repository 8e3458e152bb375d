// SPDX-License-Identifier: MIT
//
// The part of the job tracker (job_tracker.hpp) by which jobs end: they complete,
// are preempted or given up, are put into their order and handed on.
#include "job_tracker.hpp"

#include <algorithm>
#include <tuple>

namespace lttng_gpu::model {
namespace {

/// More rows than this do not wait for an earlier job that is still open.
constexpr std::size_t most_rows = 65536;
constexpr std::size_t most_open = 65536;
/// A call that submits does not take this long.
constexpr Duration longest_submission{1'000'000'000};
/// How far back a completion looks for jobs that it must have overtaken.
constexpr int most_overtaken = 256;

constexpr std::uint32_t queue_steps =
    static_cast<std::uint32_t>(Step::SchedQueue) | static_cast<std::uint32_t>(Step::AmdgpuQueue) |
    static_cast<std::uint32_t>(Step::XeExec) | static_cast<std::uint32_t>(Step::VirtioQueue) |
    static_cast<std::uint32_t>(Step::I915Queue) | static_cast<std::uint32_t>(Step::I915Add);

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
    TrackedJob& tracked = x_jobs[job];
    if (tracked.state != JobState::Open) {
        return;
    }
    const auto& previous = tracked.job.submitted ? tracked.job.submitted : tracked.job.queued;
    if (previous && time < *previous) {
        give_up(job, Anomaly::StageBeforePrevious);
        return;
    }
    tracked.job.completed = time;
    tracked.job.completed_basis = basis;
    tracked.state = JobState::Closing;
    x_closing.push_back(job);
}

void JobTracker::go_on(Timestamp now)
{
    if (!x_closing.empty()) {
        settle_all();
    }
    x_now = now;
    release();
}

/// Of completions at the same time those submitted first were first.
void JobTracker::settle_all()
{
    if (x_closing.size() > 1) {
        std::sort(x_closing.begin(), x_closing.end(), [this](JobIndex left, JobIndex right) {
            const auto order_of = [this](JobIndex job) {
                const TrackedJob& tracked = x_jobs[job];
                return std::tuple{tracked.job.ring, tracked.place, tracked.row};
            };
            return order_of(left) < order_of(right);
        });
    }
    for (std::size_t at = 0; at < x_closing.size(); ++at) {
        settle(x_closing[at]);
    }
    x_closing.clear();
}

void JobTracker::settle(JobIndex job)
{
    TrackedJob& tracked = x_jobs[job];
    const Timestamp time = *tracked.job.completed;
    if (tracked.is_tentative && has(tracked.trace, tracked.teller)) {
        tracked.state = JobState::Open;
        drop_tentative(job, Anomaly::FenceWithoutJobEvents);
        return;
    }
    forget_doubtful_submission(job);
    submit_executed(job);
    if (tracked.is_in_fifo) {
        settle_start(tracked);
    } else if (!tracked.ended_by_fence) {
        unseen_completion(tracked.job.ring, tracked.trace, time);
    } else if (is_lost_since(tracked.trace, tracked.begun)) {
        unseen_completion({}, tracked.trace, time); // it may have run all the same
    }
    if (tracked.wait_ended == time) {
        tracked.job.observed = time;
    }
    for (std::uint8_t at = 0; at < tracked.key_count; ++at) {
        if (tracked.keys[at].kind == KeyKind::Fence) {
            x_dependencies.on_signaled(time, tracked.keys[at]);
        }
    }
    if (x_facts[tracked.trace].doubt.lost_until && tracked.timeline != no_job) {
        close_overtaken(job);
    }
    close(job);
}

/// It was seen to leave the hardware, and events that tell whether it came back
/// are lost: when it was given there the last time is unknown.
void JobTracker::forget_doubtful_submission(JobIndex job)
{
    TrackedJob& tracked = x_jobs[job];
    if (!tracked.has_submit_doubt || !tracked.job.queued) {
        return; // without any time it would have no place among the rows
    }
    if (tracked.is_in_fifo) {
        fifo(*tracked.job.ring).forget(tracked.place);
        tracked.is_in_fifo = false;
    }
    tracked.job.submitted.reset();
    tracked.executed.reset();
}

/// What has no event of being given to the hardware, because another carried it,
/// was given when it was written to the ring.
void JobTracker::submit_executed(JobIndex job)
{
    const TrackedJob& tracked = x_jobs[job];
    if (tracked.executed && !tracked.job.submitted && tracked.job.ring) {
        submit(job, *tracked.executed, *tracked.job.ring);
    }
}

void JobTracker::settle_start(TrackedJob& tracked)
{
    const Timestamp time = *tracked.job.completed;
    tracked.is_in_fifo = false;
    if (tracked.job.completed_basis == Basis::Inferred) {
        // when it ended is not known well enough to say when the next began
        fifo(*tracked.job.ring).forget(tracked.place);
        return;
    }
    const auto completion =
        fifo(*tracked.job.ring).complete(tracked.place, time, x_facts[tracked.trace].doubt);
    Ring& ring = x_rings.at(*tracked.job.ring);
    if (completion.is_violation && ring.is_fifo) {
        ++ring.fifo_violations;
    }
    if (!tracked.has_start_doubt) {
        tracked.job.started = completion.started;
        tracked.job.started_basis = completion.started ? Basis::Inferred : Basis::Unknown;
    }
}

/// Fences of one context are signaled in order of seqno. Only when events were
/// lost is that used: an open earlier job then has lost its completion.
void JobTracker::close_overtaken(JobIndex completed)
{
    JobIndex other = x_jobs.oldest_of(x_jobs[completed].timeline);
    for (int count = 0; other != no_job && other != completed && count < most_overtaken; ++count) {
        const JobIndex next = x_jobs[other].newer;
        const TrackedJob& tracked = x_jobs[other];
        if (tracked.state == JobState::Open && x_jobs.is_before(other, completed) &&
            is_lost_since(tracked.trace, tracked.begun)) {
            give_up(other, Anomaly::CompletionNeverSeen);
        }
        other = next;
    }
}

/// Closes a job without a completion.
void JobTracker::give_up(JobIndex job, Anomaly reason)
{
    if (x_jobs[job].is_tentative && has(x_jobs[job].trace, x_jobs[job].teller)) {
        drop_tentative(job, Anomaly::FenceWithoutJobEvents);
        return;
    }
    x_anomalies.count(reason);
    if (is_lost_since(x_jobs[job].trace, x_jobs[job].begun)) {
        x_jobs[job].job.ending = Ending::Lost;
    }
    end_without_completion(job);
}

void JobTracker::end_without_completion(JobIndex job)
{
    forget_doubtful_submission(job);
    submit_executed(job);
    TrackedJob& tracked = x_jobs[job];
    if (tracked.is_in_fifo) {
        fifo(*tracked.job.ring).forget(tracked.place);
        tracked.is_in_fifo = false;
    }
    tracked.waiters = 0;
    close(job);
}

/// Its times are decided; its keys stay for a while.
void JobTracker::close(JobIndex job)
{
    TrackedJob& tracked = x_jobs[job];
    x_dependencies.on_gone_on(tracked.job.completed, job);
    count_missing(tracked);
    tracked.state = JobState::Done;
    tracked.is_held = tracked.waiters > 0 && tracked.job.completed && !tracked.job.observed;
    --x_open;
    x_jobs.unlink(job);
    x_jobs.remove_keys(job, KeyKind::Pointer); // a pointer may come back at once
    x_jobs.remove_keys(job, KeyKind::XePointer);
    x_jobs.set_recent(job);
    if (!tracked.is_held) {
        decide(job);
    }
}

void JobTracker::count_missing(const TrackedJob& tracked)
{
    if (tracked.job.queued || tracked.is_tentative || (tracked.steps & queue_steps) != 0) {
        return;
    }
    x_anomalies.count(tracked.job.submitted ? Anomaly::SubmitOfUnknownJob
                                            : Anomaly::CompleteOfUnknownJob);
}

void JobTracker::decide(JobIndex job)
{
    TrackedJob& tracked = x_jobs[job];
    tracked.is_held = false;
    if (tracked.has_row) {
        x_order.decide(tracked.row);
        return;
    }
    hand_on(job);
}

void JobTracker::hand_on(JobIndex job)
{
    TrackedJob& tracked = x_jobs[job];
    hand_on_intervals(tracked);
    x_sink.on_job(tracked.job);
    tracked.has_row = false;
    x_jobs.free_if_unused(job);
}

void JobTracker::hand_on_intervals(TrackedJob& tracked)
{
    for (JobIndex interval = tracked.first_interval; interval != no_job;) {
        const JobIndex next = x_jobs[interval].newer;
        x_sink.on_job(x_jobs[interval].job);
        x_jobs[interval].newer = no_job;
        x_jobs.free(interval);
        --x_intervals;
        interval = next;
    }
    tracked.first_interval = no_job;
    tracked.last_interval = no_job;
}

void JobTracker::release()
{
    while (!x_order.is_empty()) {
        const JobIndex job = x_order.front();
        if (x_order.is_front_decided()) {
            if (x_order.front_time() >= x_now) {
                return;
            }
            x_order.pop_front();
            hand_on(job);
        } else if (x_jobs[job].is_unnamed && x_now - x_jobs[job].begun > longest_submission) {
            drop_tentative(job, Anomaly::SubmissionAbandoned);
        } else {
            return;
        }
    }
}

/// A job that stays open must hold back neither rows nor memory for ever.
void JobTracker::bound_memory()
{
    while (!x_order.is_empty() && !x_order.is_front_decided() &&
           (x_order.decided() + x_intervals > most_rows || x_order.size() > 4 * most_rows)) {
        detach_front();
    }
    while (x_open > most_open && !x_order.is_empty() && !x_order.is_front_decided()) {
        const JobIndex job = x_order.front();
        if (x_jobs[job].is_held) {
            decide(job);
        } else if (x_jobs[job].is_tentative) {
            drop_tentative(job, Anomaly::TooManyOpenJobs);
        } else if (x_jobs[job].state == JobState::Closing) {
            settle_all();
        } else {
            give_up(job, Anomaly::TooManyOpenJobs);
        }
        release();
    }
}

void JobTracker::detach_front()
{
    const JobIndex job = x_order.front();
    TrackedJob& tracked = x_jobs[job];
    x_order.pop_front();
    tracked.has_row = false;
    if (tracked.is_held) {
        decide(job);
    } else {
        x_anomalies.count(Anomaly::RowOutOfOrder);
        tracked.is_out_of_order = true;
        hand_on_intervals(tracked);
    }
    release();
}

void JobTracker::preempt(JobIndex job, Timestamp time, Basis basis)
{
    const JobIndex interval = x_jobs.allocate(x_jobs[job].trace, JobState::Interval);
    TrackedJob& tracked = x_jobs[job];
    Job& ended = x_jobs[interval].job;
    ended = tracked.job;
    ended.completed = time;
    ended.completed_basis = basis;
    ended.ending = Ending::Preempted;
    ended.is_last = false;
    if (tracked.is_in_fifo) {
        const auto completion =
            fifo(*ended.ring).preempt(tracked.place, time, x_facts[tracked.trace].doubt);
        ended.started = completion.started;
        ended.started_basis = completion.started ? Basis::Inferred : Basis::Unknown;
        tracked.is_in_fifo = false;
    }
    const JobIndex last = tracked.last_interval;
    (last != no_job ? x_jobs[last].newer : tracked.first_interval) = interval;
    tracked.last_interval = interval;
    ++x_intervals;
    tracked.executed.reset();
    tracked.unwound.reset();
    tracked.is_rewritten = false;
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
    x_anomalies.count(reason);
    drop(job);
}

void JobTracker::drop(JobIndex job)
{
    TrackedJob& tracked = x_jobs[job];
    if (tracked.is_in_fifo) {
        fifo(*tracked.job.ring).forget(tracked.place);
    }
    if (tracked.has_row) {
        x_order.drop(tracked.row);
    }
    x_dependencies.on_gone_on({}, job);
    --x_open;
    x_jobs.free(job);
}

void JobTracker::set_fault(JobIndex job, Fault fault)
{
    if (x_jobs[job].job.fault != fault) {
        x_anomalies.count(anomaly_of(fault));
        x_jobs[job].job.fault = fault;
    }
}

void JobTracker::end_wait(JobRef ref, Timestamp time)
{
    const JobIndex job = x_jobs.get(ref);
    if (job == no_job) {
        return;
    }
    TrackedJob& tracked = x_jobs[job];
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
    const JobIndex job = x_jobs.get(ref);
    if (job != no_job) {
        x_jobs[job].waiters = 0;
        if (x_jobs[job].is_held) {
            decide(job);
        }
    }
}

void JobTracker::finish()
{
    settle_all();
    while (!x_order.is_empty()) {
        const JobIndex job = x_order.front();
        if (x_order.is_front_decided()) {
            x_order.pop_front();
            hand_on(job);
        } else {
            finish_open(job);
        }
    }
    for (JobIndex job = 0; job < x_jobs.capacity(); ++job) {
        if (x_jobs[job].state == JobState::Open) {
            finish_open(job);
        }
    }
}

void JobTracker::finish_open(JobIndex job)
{
    TrackedJob& tracked = x_jobs[job];
    if (tracked.is_held) {
        decide(job);
        return;
    }
    if (tracked.is_unnamed) {
        drop_tentative(job, Anomaly::SubmissionAbandoned);
        return;
    }
    if (tracked.is_tentative && has(tracked.trace, tracked.teller)) {
        drop_tentative(job, Anomaly::FenceWithoutJobEvents);
        return;
    }
    const bool is_lost = is_lost_since(tracked.trace, tracked.begun);
    tracked.job.ending = is_lost ? Ending::Lost : Ending::Normal;
    tracked.job.is_alive_at_end = !is_lost && !tracked.is_retired && tracked.job.ring &&
                                  fifo(*tracked.job.ring).has_completed();
    end_without_completion(job);
}

} // namespace lttng_gpu::model
