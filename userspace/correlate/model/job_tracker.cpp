// SPDX-License-Identifier: MIT
//
// See job_tracker.hpp. One overload of on() per normalised event; each changes
// the state of at most one job, except that after a loss a completion closes
// the jobs of its timeline that must have completed before it.
#include "job_tracker.hpp"

#include <tuple>

namespace lttng_gpu::model {
namespace {

constexpr std::uint32_t low_half(std::uint64_t value)
{
    return static_cast<std::uint32_t>(value);
}

void keep_later(std::optional<Timestamp>& time, Timestamp candidate)
{
    time = std::max(time.value_or(candidate), candidate);
}

} // namespace

bool JobTracker::KeyOrder::operator()(const JobKey& left, const JobKey& right) const
{
    const auto tuple_of = [](const JobKey& key) {
        return std::tuple{key.trace, key.kind, low_half(key.timeline), key.timeline, key.seqno};
    };
    return tuple_of(left) < tuple_of(right);
}

JobTracker::JobTracker(RingTable& rings, AnomalyCounters& anomalies, JobSink& sink)
    : x_rings{rings}, x_anomalies{anomalies}, x_order{sink}
{
}

void JobTracker::on_event(const GpuEvent& event)
{
    std::visit([&](const auto& what) { on(event.time, what); }, event.what);
}

void JobTracker::on(Timestamp time, const JobQueued& event)
{
    const auto found = x_open.find(event.job);
    if (found != x_open.end() && event.job.kind == KeyKind::Pointer && found->second.job.queued) {
        give_up(found, Anomaly::FencePointerReused);
    } else if (found != x_open.end()) {
        Job& job = found->second.job;
        if (job.queued) {
            x_anomalies.count(Anomaly::DuplicateQueue);
            return;
        }
        job.actor = event.actor;
        if (job.submitted && *job.submitted == time) {
            job.queued = time; // events of two CPUs at the same time come in either order
            return;
        }
        x_anomalies.count(Anomaly::QueueAfterSubmit);
        return;
    }
    if (x_recent.contains(event.job)) {
        x_anomalies.count(Anomaly::DuplicateQueue);
        return;
    }
    Job job;
    job.ring = event.ring;
    job.fence = event.fence;
    job.actor = event.actor;
    job.queued = time;
    open(event.job, time, job);
}

void JobTracker::on(Timestamp time, const JobSubmitted& event)
{
    auto found = x_open.find(event.job);
    if (found == x_open.end()) {
        if (x_recent.contains(event.job)) {
            x_anomalies.count(Anomaly::DuplicateSubmit);
            return;
        }
        x_anomalies.count(Anomaly::SubmitOfUnknownJob);
        found = open(event.job, time, {});
        found->second.job.fence = event.fence;
        found->second.job.ring = event.ring;
    }
    Job& job = found->second.job;
    if (job.submitted) {
        x_anomalies.count(Anomaly::DuplicateSubmit);
        return;
    }
    if (job.queued && time < *job.queued) {
        x_anomalies.count(Anomaly::StageBeforePrevious);
        return;
    }
    if (job.ring != event.ring) {
        x_anomalies.count(Anomaly::RingChanged);
        job.ring = event.ring;
    }
    job.submitted = time;
    if (!x_rings.at(event.ring).is_fifo) {
        fifo(event.ring).set_unordered();
    }
    found->second.place = fifo(event.ring).submit(time);
}

void JobTracker::on(Timestamp time, const JobCompleted& event)
{
    const auto found = x_open.find(event.job);
    if (found != x_open.end()) {
        if (!found->second.place) {
            on_unseen_completion(found->second.job.ring, event.job.trace, time);
        }
        complete(found, time);
        return;
    }
    if (x_recent.contains(event.job)) {
        x_anomalies.count(Anomaly::DuplicateComplete);
        return;
    }
    x_anomalies.count(Anomaly::CompleteOfUnknownJob);
    on_unseen_completion(event.ring, event.job.trace, time);
    Job job;
    job.ring = event.ring;
    job.fence = event.fence;
    complete(open(event.job, time, job), time);
}

void JobTracker::on(Timestamp, const JobDependency& event)
{
    if (!x_open.contains(event.job) && !x_recent.contains(event.job)) {
        x_anomalies.count(Anomaly::DependencyOfUnknownJob);
    }
}

/// A job that is killed in its queue gets no run and no done; its fence tells.
void JobTracker::on(Timestamp time, const FenceSignaled& event)
{
    const auto found = find_signaled(event);
    if (found == x_open.end()) {
        return; // most fences are not those of jobs, and done came before
    }
    const OpenJob& open_job = found->second;
    if (!open_job.place && is_lost_since(event.trace, first_time(open_job.job))) {
        on_unseen_completion({}, event.trace, time); // it may have run all the same
    }
    complete(found, time);
}

void JobTracker::on(Timestamp, const EventsLost& event)
{
    keep_later(x_doubts[event.trace].lost_until, event.end);
}

void JobTracker::finish()
{
    while (!x_open.empty()) {
        const auto last = x_open.begin();
        Job& job = last->second.job;
        const bool has_losses = x_doubts[last->first.trace].lost_until.has_value();
        job.is_alive_at_end = !has_losses && job.ring && fifo(*job.ring).has_completed();
        close(last);
    }
    x_order.release_all();
}

JobTracker::OpenJobs::iterator JobTracker::open(const JobKey& key, Timestamp time, const Job& job)
{
    return x_open.insert_or_assign(key, OpenJob{job, x_order.reserve(time), {}}).first;
}

void JobTracker::close(OpenJobs::iterator open_job)
{
    x_order.fill(open_job->second.slot, open_job->second.job);
    x_open.erase(open_job);
}

void JobTracker::complete(OpenJobs::iterator open_job, Timestamp time)
{
    const JobKey key = open_job->first;
    Job& job = open_job->second.job;
    if (const auto& previous = job.submitted ? job.submitted : job.queued;
        previous && time < *previous) {
        give_up(open_job, Anomaly::StageBeforePrevious);
        return;
    }
    job.completed = time;
    job.completed_basis = Basis::Observed;
    if (open_job->second.place) {
        complete_submitted(open_job->second, time, key.trace);
    }
    close(open_job);
    if (key.kind != KeyKind::Pointer) { // a pointer may come back at once
        x_recent.add(key);
    }
    if (key.kind == KeyKind::Fence) {
        close_overtaken(key);
    }
}

void JobTracker::complete_submitted(OpenJob& open_job, Timestamp time, TraceId trace)
{
    Job& job = open_job.job;
    const auto completion = fifo(*job.ring).complete(*open_job.place, time, x_doubts[trace]);
    Ring& ring = x_rings.at(*job.ring);
    if (completion.is_violation && ring.is_fifo) {
        ++ring.fifo_violations;
    }
    job.started = completion.started;
    job.started_basis = completion.started ? Basis::Inferred : Basis::Unknown;
}

void JobTracker::on_unseen_completion(std::optional<RingId> ring, TraceId trace, Timestamp time)
{
    if (ring) {
        fifo(*ring).complete_unseen(time);
    } else {
        keep_later(x_doubts[trace].unseen_until, time);
    }
}

/// Fences of one context are signaled in order of seqno. Only when events were
/// lost is that used: an open earlier job then has lost its completion.
void JobTracker::close_overtaken(const JobKey& completed)
{
    JobKey first = completed;
    first.seqno = 0;
    auto overtaken = x_open.lower_bound(first);
    while (overtaken != x_open.end() && overtaken->first.timeline == completed.timeline &&
           overtaken->first < completed) {
        const auto next = std::next(overtaken);
        if (is_lost_since(completed.trace, first_time(overtaken->second.job))) {
            give_up(overtaken, Anomaly::CompletionNeverSeen);
        }
        overtaken = next;
    }
}

/// Closes a job without a completion.
void JobTracker::give_up(OpenJobs::iterator open_job, Anomaly reason)
{
    x_anomalies.count(reason);
    if (open_job->second.place) {
        fifo(*open_job->second.job.ring).forget(*open_job->second.place);
    }
    close(open_job);
}

JobTracker::OpenJobs::iterator JobTracker::find_signaled(const FenceSignaled& event)
{
    const std::uint64_t context = event.context.value();
    const std::uint64_t seqno = event.seqno.value();
    if (!event.is_32_bit) {
        return x_open.find({event.trace, KeyKind::Fence, context, seqno});
    }
    auto candidate = x_open.lower_bound({event.trace, KeyKind::Fence, low_half(context), 0});
    while (candidate != x_open.end() && candidate->first.trace == event.trace &&
           candidate->first.kind == KeyKind::Fence &&
           low_half(candidate->first.timeline) == low_half(context)) {
        if (low_half(candidate->first.seqno) == low_half(seqno)) {
            return candidate;
        }
        ++candidate;
    }
    return x_open.end();
}

bool JobTracker::is_lost_since(TraceId trace, Timestamp time) const
{
    const auto found = x_doubts.find(trace);
    return found != x_doubts.end() && found->second.lost_until && *found->second.lost_until >= time;
}

} // namespace lttng_gpu::model
