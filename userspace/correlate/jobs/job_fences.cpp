// SPDX-License-Identifier: MIT
//
// The part of the job tracker (job_tracker.hpp) that fences drive: their signals
// end jobs, and a fence alone may stand for a job until events of the job itself
// adopt it.
#include "job_tracker.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// The finished fence is signaled at most this long after the event of its job.
constexpr Duration longest_signaling{1'000'000};

} // namespace

/// A job that is killed in its queue gets no run and no done; its fence tells.
JobIndex JobTracker::signaled(Timestamp time, const FenceSignaled& event)
{
    const JobKey key{event.trace, KeySpace::Fence, event.is_32_bit, event.context.value(),
                     event.seqno.value()};
    if (event.owner == FenceOwner::Scheduler) {
        m_facts[event.trace].has_scheduler_fences = true;
    }
    bool is_ambiguous = is_unsure(key) && has_seen(event.trace, m_steps.scheduler_jobs());
    if (!is_ambiguous) {
        m_dependencies.on_signaled(time, key);
    }
    const JobIndex job = m_jobs.find(key, &is_ambiguous);
    if (is_ambiguous) {
        // it may be a fence of another context; the job's own events are sure
        m_anomalies.count(Anomaly::AmbiguousFence);
        return no_job;
    }
    if (job == no_job) {
        return event.owner == FenceOwner::Other ? no_job : unknown_fence(time, event, key);
    }
    TrackedJob& tracked = m_jobs[job];
    if (tracked.state == JobState::Open) {
        tracked.steps |= set_of(JobSteps::fence_signaled);
        tracked.ended_by_fence = true;
        if (CompletionPolicy* keeper = policy_of(tracked)) {
            keeper->on_signaled(job);
        }
        complete(job, time, Basis::Observed);
    } else if (tracked.state == JobState::Done && !tracked.job.completed) {
        note_late_end(tracked, time);
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
        const JobIndex job = m_jobs.find(finished);
        if (job != no_job) {
            TrackedJob& tracked = m_jobs[job];
            if (tracked.state == JobState::Done) {
                return no_job; // told twice
            }
            const bool is_first = (tracked.steps & set_of(JobSteps::fence_scheduled)) == 0;
            tracked.steps |= set_of(JobSteps::fence_scheduled);
            note_seen(event.trace, JobSteps::fence_scheduled);
            if (is_first && tracked.job.queued && !tracked.job.submitted && tracked.job.ring &&
                !has_seen(event.trace, m_steps.scheduler_run)) {
                submit(job, time, *tracked.job.ring);
                m_jobs[job].is_submitted_by_fence = true;
            }
            return no_job;
        }
        if (ContextFacts* facts = m_jobs.find_facts(key.trace, key.timeline)) {
            note_number(*facts, static_cast<std::uint32_t>(key.seqno));
        }
        m_signaled_now.push_back(key);
        if (has_seen(event.trace, m_steps.scheduler_done) &&
            !is_lost_since(event.trace, time - longest_signaling)) {
            return no_job; // its event was seen
        }
    }
    const auto ring = ring_of_unmatched(key);
    if (ring) {
        fifo(*ring).note_unmatched(time);
    } else {
        note_unmatched(event.trace, time);
    }
    if (event.owner == FenceOwner::Scheduler && !has_seen(event.trace, m_steps.scheduler_jobs())) {
        note_unmatched_run(time, event, key);
        constexpr Timestamp before_all{std::numeric_limits<std::int64_t>::min()};
        m_sink.on_unseen({ring, event.trace, 1, before_all, time}); // nothing else tells of it
    }
    return no_job;
}

/// Where only fences tell of jobs, the scheduled fence of a job whose init events are missing tells
/// that it was on its ring since then. Which fence of a pair this is, the end of the trace shows.
void JobTracker::note_unmatched_run(Timestamp time, const FenceSignaled& event, const JobKey& key)
{
    if (m_findings == nullptr || event.timeline.empty()) {
        return;
    }
    JobKey scheduled = key;
    --scheduled.timeline;
    for (std::size_t at = m_unmatched_runs.size(); at > 0; --at) {
        UnmatchedRun& run = m_unmatched_runs[at - 1];
        if (run.key == scheduled) {
            run.ended = time;
            return;
        }
    }
    if (m_unmatched_runs.size() == most_unmatched_runs) {
        report_unmatched_run(m_unmatched_runs.front());
        m_unmatched_runs.pop_front();
    }
    m_unmatched_runs.push_back({key, m_rings.intern(event.trace, "", event.timeline), time, {}});
}

/// Jobs of the finished fences' context, which is the next one, are known, or fences of both
/// contexts were signaled one after the other.
bool JobTracker::is_context_of_scheduled(const UnmatchedRun& unmatched)
{
    const JobKey& key = unmatched.key;
    if (unmatched.ended || m_jobs.find_facts(key.trace, key.timeline + 1) != nullptr) {
        return true;
    }
    for (std::size_t at = 0; at < m_unmatched_runs.size(); ++at) {
        const UnmatchedRun& other = m_unmatched_runs[at];
        if (other.ended && other.key.timeline == key.timeline && other.key.trace == key.trace) {
            return true;
        }
    }
    return false;
}

void JobTracker::report_unmatched_run(const UnmatchedRun& unmatched)
{
    constexpr Timestamp never{std::numeric_limits<std::int64_t>::max()};
    const TraceId trace = unmatched.key.trace;
    const std::uint64_t timeline = unmatched.key.timeline;
    const bool is_finished_fence = m_jobs.find_facts(trace, timeline) != nullptr;
    if (is_finished_fence || !is_context_of_scheduled(unmatched)) {
        return;
    }
    MissingEvents missing{trace, Missing::Queue, 1, {unmatched.begun, unmatched.begun}, {}, {}};
    missing.ring = unmatched.ring;
    missing.run = UnseenRun{missing.when, unmatched.ended.value_or(never)};
    m_findings->add(missing); // the numbers of its context count it
}

/// At equal times the event of another CPU may come first, of a job that was killed at once.
void JobTracker::complete_if_signaled(JobIndex job, const JobKey& key)
{
    const auto found = std::find_if(m_signaled_now.begin(), m_signaled_now.end(),
                                    [&](const JobKey& other) { return is_match(other, key); });
    if (found != m_signaled_now.end() && m_jobs[job].state == JobState::Open) {
        m_jobs[job].steps |= set_of(JobSteps::fence_signaled);
        m_jobs[job].ended_by_fence = true;
        complete(job, m_now, Basis::Observed);
    }
}

void JobTracker::submit_if_scheduled(JobIndex job, const JobKey& finished)
{
    JobKey scheduled = finished;
    --scheduled.timeline;
    const bool is_now = std::any_of(m_signaled_now.begin(), m_signaled_now.end(),
                                    [&](const JobKey& key) { return is_match(key, scheduled); });
    TrackedJob& tracked = m_jobs[job];
    if (is_now && tracked.state == JobState::Open && !tracked.job.submitted) {
        tracked.steps |= set_of(JobSteps::fence_scheduled);
        submit(job, m_now, *tracked.job.ring);
        m_jobs[job].is_submitted_by_fence = true;
    }
}

void JobTracker::note_ring(const JobKey& key, RingId ring)
{
    if (m_jobs.find(key) != no_job || ring_of_unmatched(key)) {
        return;
    }
    if (m_unmatched_signals.size() == most_unmatched) {
        m_unmatched_signals.pop_front();
    }
    m_unmatched_signals.push_back({key, ring});
}

std::optional<RingId> JobTracker::ring_of_unmatched(const JobKey& key) const
{
    for (std::size_t at = 0; at < m_unmatched_signals.size(); ++at) {
        if (is_match(m_unmatched_signals[at].key, key)) {
            return m_unmatched_signals[at].ring;
        }
    }
    return {};
}

void JobTracker::note_unmatched(TraceId trace, Timestamp time)
{
    auto& until = m_facts[trace].doubt.unmatched_until;
    until = std::max(until.value_or(time), time);
}

void JobTracker::unseen_completion(std::optional<RingId> ring, TraceId trace, Timestamp time,
                                   bool is_exact)
{
    // a name that hides several rings says nothing
    const bool is_ring_known = ring && !m_rings.at(*ring).is_split &&
                               (m_rings.at(*ring).is_fifo || m_rings.has_device(*ring));
    if (is_ring_known && m_rings.has_device(*ring)) {
        fifo(*ring).complete_unseen(time, is_exact);
    } else if (is_ring_known) {
        fifo(*ring).note_unmatched(time); // another ring may have that name
    } else {
        note_unmatched(trace, time);
    }
}

JobIndex JobTracker::open_tentative(Timestamp time, TraceId trace, StepSet told_by)
{
    bound_memory();
    const JobIndex job = m_jobs.allocate(trace, JobState::Open);
    TrackedJob& tracked = m_jobs[job];
    tracked.is_tentative = true;
    tracked.told_by = told_by;
    tracked.begun = time;
    tracked.row = m_order.reserve(time, job);
    tracked.has_row = true;
    tracked.steps = set_of(JobSteps::fence_made);
    ++m_open;
    return job;
}

void JobTracker::adopt(JobIndex job, bool keeps_queued)
{
    TrackedJob& tracked = m_jobs[job];
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
        m_order.drop(tracked.row);
    }
    tracked.begun = m_now;
    tracked.row = m_order.reserve(m_now, job);
    tracked.has_row = true;
}

} // namespace lttng_gpu::model
