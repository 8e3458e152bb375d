// SPDX-License-Identifier: MIT
//
// See job_tracker.hpp. Here is what events do to open jobs; what fences
// tell is in job_fences.cpp, how jobs end in job_closing.cpp, how they leave in
// job_rows.cpp.
#include "job_tracker.hpp"

namespace lttng_gpu::model {
namespace {

/// The context does not fit into an event that cuts it.
bool is_wide(const JobKey& key)
{
    return key.space == KeySpace::Fence && key.timeline > 0xffffffff;
}

} // namespace

JobTracker::JobTracker(RingTable& rings, AnomalyCounters& anomalies, JobSink& sink)
    : m_rings{rings}, m_anomalies{anomalies}, m_sink{sink}, m_dependencies{m_jobs, anomalies, sink}
{
}

JobIndex JobTracker::open(const JobKey& key, Timestamp time)
{
    bound_memory();
    const JobIndex job = m_jobs.allocate(key.trace, JobState::Open);
    TrackedJob& tracked = m_jobs[job];
    tracked.begun = time;
    tracked.row = m_order.reserve(time, job);
    tracked.has_row = true;
    m_jobs.add_key(job, key);
    m_facts[key.trace].has_wide_contexts |= is_wide(key);
    ++m_open;
    return job;
}

/// What was known by cut numbers is now known by all of them.
void JobTracker::refine(JobIndex job, const JobKey& key)
{
    if (!m_jobs[job].has_cut_key || key.is_cut || key.space != KeySpace::Fence) {
        return;
    }
    m_facts[key.trace].has_wide_contexts |= is_wide(key);
    m_jobs.add_key(job, key);
    if (m_jobs[job].is_tentative) {
        m_jobs[job].job.actor = {}; // another context's fence may have been made there
    }
    m_jobs[job].job.fence = {FenceContext{key.timeline}, FenceSeqno{key.seqno}};
}

/// The job that the event is about. A pointer may have come back with a new job:
/// then the old one is ended and there is none.
JobIndex JobTracker::find_for(Step step, const JobKey& key, KnownTime Job::*stage)
{
    const JobIndex job = m_jobs.find(key);
    if (job != no_job && key.space != KeySpace::Pointer) {
        refine(job, key);
        return job;
    }
    if (job == no_job) {
        return job;
    }
    const auto& submitted = m_jobs[job].job.submitted;
    if (stage == &Job::queued && m_jobs[job].state == JobState::Open && submitted &&
        *submitted < m_now && is_lost_since(key.trace, *submitted)) {
        give_up(job, Anomaly::FencePointerReused); // it came back in the gap
        return no_job;
    }
    if (!(m_jobs[job].job.*stage)) {
        return job;
    }
    const TrackedJob& tracked = m_jobs[job];
    if (tracked.state == JobState::Closing) {
        settle_all();
        return no_job;
    }
    const bool is_reused =
        stage == &Job::queued || is_lost_since(tracked.trace, *(tracked.job.*stage));
    if (is_reused && (tracked.steps & set_of(step)) != 0) {
        give_up(job, Anomaly::FencePointerReused);
        return no_job;
    }
    return job;
}

JobIndex JobTracker::queued(Timestamp time, Step step, const JobQueued& event)
{
    JobIndex job = find_for(step, event.job, &Job::queued);
    if (job != no_job && m_jobs[job].state == JobState::Done) {
        m_anomalies.count(Anomaly::DuplicateQueue);
        return no_job;
    }
    if (job == no_job) {
        job = open(event.job, time);
        m_jobs[job].job.ring = event.ring;
    } else if (m_jobs[job].is_tentative) {
        adopt(job, false);
        m_jobs[job].job.ring = event.ring;
    }
    TrackedJob& tracked = m_jobs[job];
    if ((tracked.steps & set_of(step)) != 0) {
        m_anomalies.count(Anomaly::DuplicateQueue);
        return job;
    }
    tracked.steps |= set_of(step);
    if (!tracked.job.fence.seqno) {
        tracked.job.fence = event.fence;
    }
    if (tracked.job.queued) {
        set_ring(job, event.ring); // the same moment, but it may know the device
        return job;
    }
    tracked.job.actor = event.actor;
    set_ring(job, event.ring);
    if (tracked.job.submitted) {
        note_order(tracked.trace, {m_cpu, time}, {tracked.submitted_on, *tracked.job.submitted});
    } else if (tracked.job.completed) {
        note_order(tracked.trace, {m_cpu, time}, {tracked.completed_on, *tracked.job.completed});
    }
    if (tracked.begun != time) {
        m_anomalies.count(Anomaly::QueueAfterSubmit);
        return job;
    }
    tracked.last_event = time;
    tracked.queued_on = m_cpu;
    tracked.job.queued = time; // events of two CPUs at the same time come in either order
    if (!m_signaled_now.empty()) {
        complete_if_signaled(job, event.job);
    }
    return job;
}

JobIndex JobTracker::submitted(Timestamp time, Step step, const JobSubmitted& event)
{
    JobIndex job = find_for(step, event.job, &Job::submitted);
    if (job != no_job && m_jobs[job].job.completed && !m_jobs[job].job.submitted) {
        note_order(event.job.trace, {m_cpu, time},
                   {m_jobs[job].completed_on, *m_jobs[job].job.completed});
    }
    if (job != no_job && m_jobs[job].state == JobState::Done) {
        m_anomalies.count(Anomaly::DuplicateSubmit);
        return no_job;
    }
    if (job == no_job) {
        job = open(event.job, time);
        m_jobs[job].job.ring = event.ring;
    } else if (m_jobs[job].is_tentative) {
        adopt(job, false);
    }
    TrackedJob& tracked = m_jobs[job];
    if ((tracked.steps & set_of(step)) != 0) {
        m_anomalies.count(Anomaly::DuplicateSubmit);
        return no_job;
    }
    tracked.steps |= set_of(step);
    if (!tracked.job.fence.seqno) {
        tracked.job.fence = event.fence;
    }
    if (tracked.job.submitted) {
        set_ring(job, event.ring); // the same moment, but it may know the device
        return job;
    }
    if ((tracked.job.queued && time < *tracked.job.queued) ||
        (tracked.job.completed && *tracked.job.completed < time)) {
        m_anomalies.count(Anomaly::StageBeforePrevious);
        return job;
    }
    submit(job, time, event.ring);
    return job;
}

void JobTracker::submit(JobIndex job, Timestamp time, RingId ring)
{
    set_ring(job, ring);
    TrackedJob& tracked = m_jobs[job];
    const RingId on = *tracked.job.ring;
    tracked.job.submitted = time;
    tracked.last_event = time;
    RingFifo& queue = fifo(on);
    if (!m_rings.at(on).is_fifo) {
        queue.set_unordered();
    }
    tracked.place = queue.submit(time, time < m_now, job);
    tracked.is_in_fifo = true;
    tracked.submitted_on = m_cpu;
    if (tracked.job.queued) {
        note_order(tracked.trace, {tracked.queued_on, *tracked.job.queued}, {m_cpu, time});
    }
    bound_earlier_submissions(job);
    m_dependencies.on_gone_on(time, job);
}

/// Both are the same job; `other` goes, and what only it knew is kept.
void JobTracker::merge(JobIndex job, JobIndex other)
{
    const TrackedJob gone = m_jobs[other];
    drop(other);
    TrackedJob& tracked = m_jobs[job];
    tracked.steps |= gone.steps;
    if (gone.id) {
        tracked.id = gone.id;
        tracked.entity = gone.entity;
    }
    tracked.last_event = std::max(tracked.last_event, gone.last_event);
    for (std::uint8_t at = 0; at < gone.key_count; ++at) {
        m_jobs.add_key(job, gone.keys[at]);
    }
    const bool is_in_order =
        !tracked.job.queued || !gone.job.submitted || *gone.job.submitted >= *tracked.job.queued;
    if (gone.job.submitted && is_in_order && !tracked.job.submitted && gone.job.ring) {
        submit(job, *gone.job.submitted, *gone.job.ring);
        m_jobs[job].job.submitter = gone.job.submitter;
    }
}

/// Of two events of one job one may lack the device; that is the same ring.
void JobTracker::set_ring(JobIndex job, RingId ring)
{
    TrackedJob& tracked = m_jobs[job];
    if (tracked.job.ring == ring) {
        return;
    }
    if (tracked.job.ring && m_rings.at(ring).is_coarse) {
        return;
    }
    if (tracked.job.ring && m_rings.at(*tracked.job.ring).is_coarse) {
        m_rings.set_driver(ring, m_rings.text(m_rings.at(*tracked.job.ring).driver));
        move_to(job, ring);
        return;
    }
    if (tracked.job.ring && m_rings.is_same_name(*tracked.job.ring, ring)) {
        if (!m_rings.has_device(*tracked.job.ring)) {
            m_rings.at(*tracked.job.ring).is_split = true;
            move_to(job, ring);
        }
        return;
    }
    if (tracked.job.ring) {
        m_anomalies.count(Anomaly::RingChanged);
    }
    move_to(job, ring);
}

void JobTracker::move_to(JobIndex job, RingId ring)
{
    TrackedJob& tracked = m_jobs[job];
    if (tracked.is_in_fifo) {
        fifo(*tracked.job.ring).forget(tracked.place);
        if (!m_rings.at(ring).is_fifo) {
            fifo(ring).set_unordered();
        }
        tracked.place = fifo(ring).submit(*tracked.job.submitted, false, job);
    }
    tracked.job.ring = ring;
}

/// The latest time at which it is known not to have ended.
Timestamp JobTracker::last_sign_of_life(const TrackedJob& tracked)
{
    if (!tracked.is_in_fifo) {
        return tracked.last_event;
    }
    const auto confirmed = fifo(*tracked.job.ring).confirmed();
    return std::max(tracked.last_event, confirmed.value_or(tracked.last_event));
}

/// A fence with its pointer ended now: it, or another that was made after its end. So it was on its
/// ring at some time before.
void JobTracker::note_run_in_doubt(const TrackedJob& tracked, Timestamp ended)
{
    const Job& job = tracked.job;
    if (m_findings == nullptr || job.submitted || !job.queued || !job.ring) {
        return;
    }
    MissingEvents missing{tracked.trace, Missing::Submit, 1, {*job.queued, *job.queued}, {}, {}};
    missing.ring = job.ring;
    missing.run = UnseenRun{{*job.queued, ended}, ended};
    m_findings->add(missing);
}

JobIndex JobTracker::completed(Timestamp time, Step step, const JobCompleted& event)
{
    JobIndex job = m_jobs.find(event.job);
    if (job != no_job && event.job.space == KeySpace::Pointer &&
        m_jobs[job].state == JobState::Open &&
        is_job_unseen_since(event.job.trace, last_sign_of_life(m_jobs[job]))) {
        // the pointer may have come back in the gap: whose end this is cannot be told
        if (m_jobs[job].job.fence.seqno && m_facts[event.job.trace].has_scheduler_fences) {
            m_jobs.remove_pointers(job); // its fence can
            return no_job;
        }
        note_run_in_doubt(m_jobs[job], time);
        give_up(job, Anomaly::CompletionNeverSeen);
        unseen_completion({}, event.job.trace, time);
        m_anomalies.count(Anomaly::CompleteOfUnknownJob);
        return no_job;
    }
    if (job == no_job) {
        job = open(event.job, time);
        m_jobs[job].job.ring = event.ring;
        m_jobs[job].job.fence = event.fence;
    }
    TrackedJob& tracked = m_jobs[job];
    if ((tracked.steps & set_of(step)) != 0) {
        m_anomalies.count(Anomaly::DuplicateComplete);
        return no_job;
    }
    if (tracked.is_tentative) {
        adopt(job, false);
        if (event.ring) {
            tracked.job.ring = event.ring;
        } else {
            note_unmatched(event.job.trace, time); // its fence tells no device
        }
    }
    m_jobs[job].steps |= set_of(step);
    if (m_jobs[job].state == JobState::Done && !m_jobs[job].job.completed &&
        !m_jobs[job].is_end_untold) {
        note_late_end(m_jobs[job], time);
        m_anomalies.count(Anomaly::CompleteOfUnknownJob); // it was given up
    }
    if (m_jobs[job].state == JobState::Open) {
        complete(job, time, Basis::Observed);
    }
    return job;
}

void JobTracker::lost(const EventsLost& event)
{
    TraceState& facts = m_facts[event.trace];
    if (m_findings != nullptr) {
        m_findings->has_losses = true;
    }
    if (m_knowledge != nullptr) {
        facts.numbered = m_knowledge->numbered(event.trace);
    }
    for (auto* until : {&facts.doubt.lost_until, &facts.announced_until}) {
        *until = std::max(until->value_or(event.end), event.end);
    }
    constexpr std::uint32_t most_cpus = 1024;
    constexpr Timestamp never{std::numeric_limits<std::int64_t>::min()};
    auto& by_cpu = facts.lost_until_by_cpu;
    const std::uint32_t first = event.cpu ? std::min(event.cpu->value(), most_cpus - 1) : 0;
    const std::uint32_t last = event.cpu ? first : most_cpus - 1;
    by_cpu.resize(std::max<std::size_t>(by_cpu.size(), last + 1ULL), never);
    for (std::uint32_t cpu = first; cpu <= last; ++cpu) {
        by_cpu[cpu] = std::max(by_cpu[cpu], event.end);
    }
}

JobIndex JobTracker::open_on_ring(Timestamp time, const JobKey& key, RingId ring)
{
    const JobIndex job = open(key, time);
    TrackedJob& tracked = m_jobs[job];
    tracked.job.ring = ring;
    tracked.job.fence = {FenceContext{key.timeline}, FenceSeqno{key.seqno}};
    tracked.last_event = time;
    return job;
}

bool JobTracker::has_stayed(TraceId trace, Cpu cpu, Timestamp since)
{
    constexpr Duration longest_stay{20'000};
    const TraceState& facts = m_facts[trace];
    if (cpu != m_cpu || m_now - since > longest_stay ||
        (facts.missing_until && *facts.missing_until >= since)) {
        return false;
    }
    const auto& by_cpu = facts.lost_until_by_cpu;
    return cpu.value() >= by_cpu.size() || by_cpu[cpu.value()] < since;
}

JobIndex JobTracker::find_open(const JobKey& key)
{
    const JobIndex job = m_jobs.find(key);
    return job != no_job && m_jobs[job].state != JobState::Done ? job : no_job;
}

RingFifo& JobTracker::add_fifo(RingId ring)
{
    while (m_fifos.size() <= ring.value()) {
        const RingId id{static_cast<std::uint32_t>(m_fifos.size())};
        m_fifos.push_back({});
        if (m_knowledge != nullptr) {
            const Ring& facts = m_rings.at(id);
            m_fifos[id.value()].set_knowledge(
                m_knowledge->of({facts.trace, std::string{m_rings.text(facts.device)},
                                 std::string{m_rings.text(facts.name)}}));
        }
    }
    return m_fifos[ring.value()];
}

} // namespace lttng_gpu::model
