// SPDX-License-Identifier: MIT
//
// See job_tracker.hpp. Here is what events do to open jobs; how jobs end and
// leave is in job_closing.cpp.
#include "job_tracker.hpp"

namespace lttng_gpu::model {
namespace {

constexpr std::uint32_t bit(Step step)
{
    return static_cast<std::uint32_t>(step);
}

constexpr std::uint8_t bit(Teller teller)
{
    return static_cast<std::uint8_t>(teller);
}

/// Its fence's numbers do not fit into an event that cuts them.
bool is_wide(const TrackedJob& tracked)
{
    const FenceId& fence = tracked.job.fence;
    return (fence.context && fence.context->value() > 0xffffffff) ||
           (fence.seqno && fence.seqno->value() > 0xffffffff);
}

/// The finished fence is signaled at most this long after the event of its job.
constexpr Duration longest_signaling{1'000'000};

} // namespace

JobTracker::JobTracker(RingTable& rings, AnomalyCounters& anomalies, JobSink& sink)
    : x_rings{rings}, x_anomalies{anomalies}, x_sink{sink}, x_dependencies{x_jobs, anomalies, sink}
{
}

JobIndex JobTracker::open(const JobKey& key, Timestamp time)
{
    bound_memory();
    const JobIndex job = x_jobs.allocate(key.trace, JobState::Open);
    TrackedJob& tracked = x_jobs[job];
    tracked.begun = time;
    tracked.row = x_order.reserve(time, job);
    tracked.has_row = true;
    x_jobs.add_key(job, key);
    ++x_open;
    return job;
}

/// The job that the event is about. A pointer may have come back with a new job:
/// then the old one is ended and there is none.
JobIndex JobTracker::find_for(Step step, const JobKey& key, std::optional<Timestamp> Job::*stage)
{
    const JobIndex job = x_jobs.find(key);
    if (job == no_job || key.kind != KeyKind::Pointer || !(x_jobs[job].job.*stage)) {
        return job;
    }
    const TrackedJob& tracked = x_jobs[job];
    if (tracked.state == JobState::Closing) {
        settle_all();
        return no_job;
    }
    const bool is_reused =
        stage == &Job::queued || is_lost_since(tracked.trace, *(tracked.job.*stage));
    if (is_reused && (tracked.steps & bit(step)) != 0) {
        give_up(job, Anomaly::FencePointerReused);
        return no_job;
    }
    return job;
}

JobIndex JobTracker::queued(Timestamp time, Step step, const JobQueued& event)
{
    JobIndex job = find_for(step, event.job, &Job::queued);
    if (job != no_job && x_jobs[job].state == JobState::Done) {
        x_anomalies.count(Anomaly::DuplicateQueue);
        return no_job;
    }
    if (job == no_job) {
        job = open(event.job, time);
        x_jobs[job].job.ring = event.ring;
    } else if (x_jobs[job].is_tentative) {
        adopt(job, false);
        x_jobs[job].job.ring = event.ring;
    }
    TrackedJob& tracked = x_jobs[job];
    if ((tracked.steps & bit(step)) != 0) {
        x_anomalies.count(Anomaly::DuplicateQueue);
        return job;
    }
    tracked.steps |= bit(step);
    if (!tracked.job.fence.seqno) {
        tracked.job.fence = event.fence;
    }
    if (tracked.job.queued) {
        set_ring(job, event.ring); // the same moment, but it may know the device
        return job;
    }
    tracked.job.actor = event.actor;
    if (tracked.begun != time) {
        x_anomalies.count(Anomaly::QueueAfterSubmit);
        return job;
    }
    tracked.last_event = time;
    tracked.job.queued = time; // events of two CPUs at the same time come in either order
    return job;
}

JobIndex JobTracker::submitted(Timestamp time, Step step, const JobSubmitted& event)
{
    JobIndex job = find_for(step, event.job, &Job::submitted);
    if (job != no_job && x_jobs[job].state == JobState::Done) {
        x_anomalies.count(Anomaly::DuplicateSubmit);
        return no_job;
    }
    if (job == no_job) {
        job = open(event.job, time);
        x_jobs[job].job.ring = event.ring;
    } else if (x_jobs[job].is_tentative && step != Step::FenceEmit) {
        adopt(job, false);
    }
    TrackedJob& tracked = x_jobs[job];
    if ((tracked.steps & bit(step)) != 0) {
        x_anomalies.count(Anomaly::DuplicateSubmit);
        return job;
    }
    tracked.steps |= bit(step);
    if (!tracked.job.fence.seqno) {
        tracked.job.fence = event.fence;
    }
    if (tracked.job.submitted) {
        set_ring(job, event.ring); // the same moment, but it may know the device
        return job;
    }
    if ((tracked.job.queued && time < *tracked.job.queued) ||
        (tracked.job.completed && *tracked.job.completed < time)) {
        x_anomalies.count(Anomaly::StageBeforePrevious);
        return job;
    }
    submit(job, time, event.ring);
    return job;
}

void JobTracker::submit(JobIndex job, Timestamp time, RingId ring)
{
    set_ring(job, ring);
    TrackedJob& tracked = x_jobs[job];
    const RingId on = *tracked.job.ring;
    tracked.job.submitted = time;
    tracked.last_event = time;
    RingFifo& queue = fifo(on);
    if (!x_rings.at(on).is_fifo) {
        queue.set_unordered();
    }
    tracked.place = queue.submit(time);
    tracked.is_in_fifo = true;
    x_dependencies.on_gone_on(time, job);
}

/// Both are the same job; `other` goes, and what only it knew is kept.
void JobTracker::merge(JobIndex job, JobIndex other)
{
    const TrackedJob gone = x_jobs[other];
    drop(other);
    TrackedJob& tracked = x_jobs[job];
    tracked.steps |= gone.steps;
    tracked.id = gone.id ? gone.id : tracked.id;
    tracked.last_event = std::max(tracked.last_event, gone.last_event);
    for (std::uint8_t at = 0; at < gone.key_count; ++at) {
        x_jobs.add_key(job, gone.keys[at]);
    }
    const bool is_in_order =
        !tracked.job.queued || !gone.job.submitted || *gone.job.submitted >= *tracked.job.queued;
    if (gone.job.submitted && is_in_order && !tracked.job.submitted && gone.job.ring) {
        submit(job, *gone.job.submitted, *gone.job.ring);
    }
}

/// Of two events of one job one may lack the device; that is the same ring.
void JobTracker::set_ring(JobIndex job, RingId ring)
{
    TrackedJob& tracked = x_jobs[job];
    if (tracked.job.ring == ring) {
        return;
    }
    if (tracked.job.ring && x_rings.is_same_name(*tracked.job.ring, ring)) {
        if (!x_rings.has_device(*tracked.job.ring)) {
            move_to(job, ring);
        }
        return;
    }
    if (tracked.job.ring) {
        x_anomalies.count(Anomaly::RingChanged);
    }
    move_to(job, ring);
}

void JobTracker::move_to(JobIndex job, RingId ring)
{
    TrackedJob& tracked = x_jobs[job];
    if (tracked.is_in_fifo) {
        fifo(*tracked.job.ring).forget(tracked.place);
        if (!x_rings.at(ring).is_fifo) {
            fifo(ring).set_unordered();
        }
        tracked.place = fifo(ring).submit(*tracked.job.submitted);
    }
    tracked.job.ring = ring;
}

JobIndex JobTracker::completed(Timestamp time, Step step, const JobCompleted& event)
{
    JobIndex job = x_jobs.find(event.job);
    if (job != no_job && event.job.kind == KeyKind::Pointer &&
        x_jobs[job].state == JobState::Open &&
        is_lost_since(event.job.trace, x_jobs[job].last_event)) {
        // the pointer may have come back in the gap: whose end this is cannot be told
        give_up(job, Anomaly::CompletionNeverSeen);
        job = no_job;
    }
    if (job == no_job) {
        job = open(event.job, time);
        x_jobs[job].job.ring = event.ring;
        x_jobs[job].job.fence = event.fence;
    }
    TrackedJob& tracked = x_jobs[job];
    if ((tracked.steps & bit(step)) != 0) {
        x_anomalies.count(Anomaly::DuplicateComplete);
        return no_job;
    }
    if (tracked.is_tentative) {
        adopt(job, false);
    }
    x_jobs[job].steps |= bit(step);
    if (x_jobs[job].state == JobState::Done && !x_jobs[job].job.completed) {
        x_anomalies.count(Anomaly::CompleteOfUnknownJob); // it was given up
    }
    if (x_jobs[job].state == JobState::Open) {
        complete(job, time, Basis::Observed);
    }
    return job;
}

/// A job that is killed in its queue gets no run and no done; its fence tells.
JobIndex JobTracker::signaled(Timestamp time, const FenceSignaled& event)
{
    const JobKey key{event.trace, KeyKind::Fence, event.context.value(), event.seqno.value(),
                     event.is_32_bit};
    x_dependencies.on_signaled(time, key);
    bool is_ambiguous = false;
    const JobIndex job = x_jobs.find(key, &is_ambiguous);
    if (is_ambiguous) {
        x_anomalies.count(Anomaly::AmbiguousFence);
        return no_job;
    }
    if (job == no_job) {
        return event.owner == FenceOwner::Other ? no_job : unknown_fence(time, event, key);
    }
    TrackedJob& tracked = x_jobs[job];
    if (tracked.state == JobState::Open) {
        if (event.is_32_bit && is_wide(tracked) && has(event.trace, Teller::Scheduler)) {
            return no_job; // may be a fence of another context; the job's own event is sure
        }
        tracked.steps |= bit(Step::FenceSignaled);
        tracked.ended_by_fence = true;
        complete(job, time, Basis::Observed);
    }
    return job;
}

/// The scheduled fence is the one before the finished fence and is signaled right
/// after run_job(), drm_sched_fence_scheduled() in sched_main.c: it stands in for
/// the event of it, which came with Linux 5.7. Anything else may have been the
/// end of a job that began unseen.
JobIndex JobTracker::unknown_fence(Timestamp time, const FenceSignaled& event, const JobKey& key)
{
    if (event.owner == FenceOwner::Scheduler) {
        JobKey finished = key;
        ++finished.timeline;
        const JobIndex job = find_open(finished);
        if (job != no_job) {
            TrackedJob& tracked = x_jobs[job];
            const bool is_first = (tracked.steps & bit(Step::FenceScheduled)) == 0;
            tracked.steps |= bit(Step::FenceScheduled);
            if (is_first && tracked.job.queued && !tracked.job.submitted && tracked.job.ring &&
                !has(event.trace, Teller::RunEvents)) {
                submit(job, time, *tracked.job.ring);
            }
            return no_job;
        }
        if (has(event.trace, Teller::DoneEvents) &&
            !is_lost_since(event.trace, time - longest_signaling)) {
            return no_job; // its event was seen
        }
    }
    unseen_completion({}, event.trace, time);
    return no_job;
}

void JobTracker::lost(const EventsLost& event)
{
    auto& until = x_facts[event.trace].doubt.lost_until;
    until = std::max(until.value_or(event.end), event.end);
}

void JobTracker::unseen_completion(std::optional<RingId> ring, TraceId trace, Timestamp time)
{
    // a name that hides several rings says nothing
    const bool is_ring_known = ring && (x_rings.at(*ring).is_fifo || x_rings.has_device(*ring));
    if (is_ring_known) {
        fifo(*ring).complete_unseen(time);
    } else {
        auto& until = x_facts[trace].doubt.unseen_until;
        until = std::max(until.value_or(time), time);
    }
}

JobIndex JobTracker::open_executed(Timestamp time, const JobKey& key, RingId ring)
{
    const JobIndex job = open(key, time);
    TrackedJob& tracked = x_jobs[job];
    tracked.job.ring = ring;
    tracked.job.fence = {FenceContext{key.timeline}, FenceSeqno{key.seqno}};
    tracked.executed = time;
    tracked.last_event = time;
    return job;
}

JobIndex JobTracker::open_tentative(Timestamp time, TraceId trace, Teller teller)
{
    bound_memory();
    const JobIndex job = x_jobs.allocate(trace, JobState::Open);
    TrackedJob& tracked = x_jobs[job];
    tracked.is_tentative = true;
    tracked.teller = teller;
    tracked.begun = time;
    tracked.row = x_order.reserve(time, job);
    tracked.has_row = true;
    tracked.steps = bit(Step::FenceInit);
    ++x_open;
    return job;
}

void JobTracker::adopt(JobIndex job, bool keeps_queued)
{
    TrackedJob& tracked = x_jobs[job];
    tracked.is_tentative = false;
    tracked.is_unnamed = false;
    if (tracked.is_in_fifo) {
        fifo(*tracked.job.ring).forget(tracked.place);
        tracked.is_in_fifo = false;
    }
    tracked.job.submitted.reset();
    tracked.steps = 0;
    if (keeps_queued) {
        return;
    }
    tracked.job.queued.reset();
    if (tracked.has_row) {
        x_order.drop(tracked.row);
    }
    tracked.begun = x_now;
    tracked.row = x_order.reserve(x_now, job);
    tracked.has_row = true;
}

void JobTracker::note(TraceId trace, Teller teller)
{
    x_facts[trace].tellers |= bit(teller);
}

bool JobTracker::has(TraceId trace, Teller teller)
{
    return (x_facts[trace].tellers & bit(teller)) != 0;
}

JobIndex JobTracker::find_open(const JobKey& key)
{
    const JobIndex job = x_jobs.find(key);
    return job != no_job && x_jobs[job].state != JobState::Done ? job : no_job;
}

RingFifo& JobTracker::fifo(RingId ring)
{
    while (x_fifos.size() <= ring.value()) {
        x_fifos.emplace_back();
    }
    return x_fifos[ring.value()];
}

bool JobTracker::is_lost_since(TraceId trace, Timestamp time)
{
    const auto& until = x_facts[trace].doubt.lost_until;
    return until && *until >= time;
}

} // namespace lttng_gpu::model
