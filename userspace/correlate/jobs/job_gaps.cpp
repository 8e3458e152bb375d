// SPDX-License-Identifier: MIT
//
// The part of the job tracker (job_tracker.hpp) that finds events which must have existed though
// they are not in the trace and no tracer says that it lost them. Two guarantees of the kernel
// are used. Fences of one context are signaled in order of seqno (struct dma_fence,
// include/linux/dma-fence.h; drm_sched: one context per entity, numbered one by one in
// drm_sched_fence_init(), v4.17 and later). And an entity's jobs are run in the order in which
// they were queued: drm_sched_entity_push_job() adds to a queue, of which
// drm_sched_entity_pop_job() takes the first.
#include "job_tracker.hpp"

namespace lttng_gpu::model {
namespace {

/// A greater step is not a hole but another use of the context.
constexpr std::int32_t most_missing = 1 << 20;
/// How far back a submission looks for jobs that must have been submitted before it.
constexpr int most_earlier = 256;

} // namespace

bool JobTracker::is_of_scheduler(const TrackedJob& tracked) const
{
    return (tracked.steps & m_steps.of_scheduler) != 0 ||
           (tracked.is_tentative && tracked.told_by == m_steps.scheduler_jobs());
}

bool JobTracker::lacks_queue_event(const TrackedJob& tracked) const
{
    return (tracked.steps & (m_steps.scheduler_queued | set_of(JobSteps::fence_made))) == 0;
}

bool JobTracker::lacks_run_event(const TrackedJob& tracked) const
{
    return (tracked.steps & (m_steps.scheduler_run | set_of(JobSteps::fence_scheduled))) == 0;
}

/// Only fences tell of the scheduler's jobs, both of each. Those of a job that was killed in its
/// queue are both signaled, too, drm_sched_entity_kill_jobs_work().
bool JobTracker::is_told_by_fences(const TrackedJob& tracked)
{
    return tracked.is_tentative && tracked.told_by == m_steps.scheduler_jobs() &&
           !has_seen(tracked.trace, m_steps.scheduler_jobs()) &&
           has_seen(tracked.trace, set_of(JobSteps::fence_scheduled));
}

/// The earlier jobs of its entity were submitted as well, if they could be seen to be.
void JobTracker::bound_earlier_submissions(JobIndex submitted)
{
    const TrackedJob& tracked = m_jobs[submitted];
    if (tracked.timeline == no_job || tracked.older == no_job || !is_of_scheduler(tracked)) {
        return;
    }
    JobIndex earlier = tracked.older;
    for (int count = 0; earlier != no_job && count < most_earlier; ++count) {
        Job& job = m_jobs[earlier].job;
        if (job.submitted || job.submitted_by) {
            return;
        }
        job.submitted_by = tracked.job.submitted;
        earlier = m_jobs[earlier].older;
    }
}

void JobTracker::report_missing(const MissingEvents& missing, Anomaly anomaly)
{
    const bool is_counted = is_announced(missing.trace, missing.when); // the gap is
    if (m_findings != nullptr) {
        MissingEvents found = missing;
        found.is_announced = is_counted;
        m_findings->add(found);
    }
    if (is_counted) {
        return;
    }
    m_anomalies.count(anomaly, missing.jobs);
    if (m_knowledge == nullptr) {
        auto& until = m_facts[missing.trace].doubt.lost_until; // learned on the way
        until = std::max(until.value_or(missing.when.end), missing.when.end);
    }
}

/// An event named this number, though no job is shown for it.
void JobTracker::note_number(ContextFacts& facts, std::uint32_t seqno)
{
    if (static_cast<std::int32_t>(seqno - facts.seqno) > 0) {
        facts.seqno = seqno;
    }
}

void JobTracker::note_unnamed(const JobKey& fence)
{
    if (ContextFacts* facts = m_jobs.find_facts(fence.trace, fence.timeline)) {
        note_number(*facts, static_cast<std::uint32_t>(fence.seqno));
    }
}

/// Jobs of the context after this number that are about to be closed at the same time.
std::int32_t JobTracker::count_earlier(const TrackedJob& tracked, std::uint32_t seqno) const
{
    std::int32_t count = 0;
    for (JobIndex earlier = tracked.older; earlier != no_job && count < most_earlier;
         earlier = m_jobs[earlier].older) {
        count += static_cast<std::int32_t>(m_jobs.seqno_of(earlier) - seqno) > 0 ? 1 : 0;
    }
    return count;
}

/// To be called for each job that is closed, while it is still among those of its context.
void JobTracker::note_in_context(JobIndex closed)
{
    const TrackedJob& tracked = m_jobs[closed];
    if (CompletionPolicy* keeper = policy_of(tracked)) {
        keeper->on_closed(closed);
        return;
    }
    if (!is_of_scheduler(tracked)) {
        return;
    }
    const Job& job = tracked.job;
    if (!job.queued && tracked.id && job.ring && lacks_queue_event(tracked)) {
        note_unqueued_number(tracked);
    }
    const bool is_whole = job.queued && job.submitted && job.completed; // nearly always
    if (tracked.timeline == no_job) {
        if (!is_whole) {
            report_missing_stages(tracked, {});
        }
        return;
    }
    ContextFacts& facts = m_jobs.facts_of(tracked.timeline);
    const std::uint32_t seqno = m_jobs.seqno_of(closed);
    const auto step = static_cast<std::int32_t>(seqno - facts.seqno);
    if (!facts.has_closed || step > most_missing) {
        facts = {};
    } else if (step <= 0) {
        return; // told again, long after
    } else if (step > 1) {
        const std::int32_t missing = step - 1 - count_earlier(tracked, facts.seqno);
        if (missing > 0) {
            report_missing_jobs(tracked, facts, static_cast<std::uint64_t>(missing));
        }
    }
    if (!is_whole) {
        report_missing_stages(tracked, facts);
    }
    if (!facts.has_closed) {
        facts.has_closed = true;
        facts.first = first_time(tracked.job);
    }
    facts.seqno = seqno;
    facts.queued = job.queued ? job.queued : facts.queued;
    facts.submitted = job.submitted ? job.submitted : facts.submitted;
    if (job.completed) {
        if (facts.completed) {
            note_order(tracked.trace, {facts.completed_on, *facts.completed},
                       {tracked.completed_on, *job.completed});
        }
        facts.completed = job.completed;
        facts.completed_on = tracked.completed_on;
    }
}

/// Numbers of the context between the job that was closed before and this one. They were queued
/// and submitted between the two, and had ended when this one did.
void JobTracker::report_missing_jobs(const TrackedJob& next, const ContextFacts& before,
                                     std::uint64_t count)
{
    const Timestamp ended = latest_time(next.job).value_or(m_now);
    const Timestamp submitted = next.job.submitted.value_or(ended);
    const Timestamp queued = before.queued.value_or(before.first);
    const Timestamp since = before.submitted.value_or(queued);
    MissingEvents missing{next.trace, Missing::WholeJob, count, {queued, ended}, {}, {}};
    missing.ring = next.job.ring;
    missing.run = UnseenRun{{since, std::max(since, submitted)}, ended};
    report_missing(missing, Anomaly::JobMissing);
    m_sink.on_unseen({next.job.ring, next.trace, count, queued, ended});
}

RingNumbers& JobTracker::numbers_of(RingId ring)
{
    if (m_numbers.size() <= ring.value()) {
        m_numbers.resize(ring.value() + 1ULL);
    }
    return m_numbers[ring.value()];
}

/// Two open jobs have one number of their scheduler: there are two schedulers.
void JobTracker::note_same_number(RingId ring)
{
    numbers_of(ring).count_same();
    note_several_schedulers(ring);
}

bool JobTracker::note_hardware(TraceId trace, std::string_view ring, std::uint64_t context)
{
    if (m_findings != nullptr) {
        m_findings->add_hardware(trace, ring, context, m_now);
    }
    return m_knowledge == nullptr || !m_knowledge->has_successive_hardware(trace, ring);
}

void JobTracker::note_queue_fences(TraceId trace)
{
    TraceState& facts = m_facts[trace];
    if (facts.has_queue_fences) {
        return;
    }
    facts.has_queue_fences = true;
    if (m_findings != nullptr && facts.is_queued_without) {
        m_findings->late_queue_fences.push_back(trace);
    }
}

void JobTracker::note_unnumbered(TraceId trace)
{
    if (m_findings != nullptr &&
        (m_findings->unnumbered.empty() || m_findings->unnumbered.back() != trace)) {
        m_findings->unnumbered.push_back(trace);
    }
}

void JobTracker::note_several_schedulers(RingId ring)
{
    if (!m_rings.at(ring).is_shared && numbers_of(ring).is_of_several()) {
        m_rings.at(ring).is_fifo = false;
        m_rings.at(ring).is_shared = true;
        fifo(ring).set_unordered();
        m_anomalies.count(Anomaly::RingNameShared);
    }
}

/// Where the scheduler's events name jobs by pointers only, its own numbers tell what is missing:
/// a job was queued, and perhaps run, of which no event was seen.
void JobTracker::note_number_on_ring(RingId ring, TraceId trace, std::uint64_t id, Timestamp time,
                                     bool is_queued)
{
    RingNumbers& numbers = numbers_of(ring);
    if (is_queued) {
        numbers.note_queued(id, time);
    }
    report_missing_numbers(ring, trace, numbers.note(id, time, is_queued), time);
    note_several_schedulers(ring);
}

void JobTracker::note_number_unsent(RingId ring, TraceId trace, std::uint64_t id)
{
    if (const auto when = numbers_of(ring).take_awaited(id)) {
        report_missing({trace, Missing::Submit, 1, *when, ring, {}}, Anomaly::SubmitEventMissing);
    }
}

void JobTracker::report_missing_numbers(RingId ring, TraceId trace,
                                        const std::vector<RingNumbers::MissingNumber>& numbers,
                                        Timestamp time)
{
    if (m_rings.at(ring).is_shared) {
        return; // several schedulers count
    }
    for (const RingNumbers::MissingNumber& number : numbers) {
        MissingEvents missing{trace, Missing::WholeJob, 1, number.when, ring, {}};
        missing.run = UnseenRun{{number.when.begin, time}, time};
        report_missing(missing, Anomaly::JobMissing);
        m_sink.on_unseen({ring, trace, 1, number.when.begin, time});
    }
}

void JobTracker::report_missing_stages(const TrackedJob& tracked, const ContextFacts& before)
{
    const Job& job = tracked.job;
    MissingEvents missing{tracked.trace, Missing::Queue, 1, {}, {}, {}};
    missing.ring = job.ring;
    if (!job.queued && before.queued && lacks_queue_event(tracked)) {
        missing.when = {*before.queued, std::max(*before.queued, first_time(job))};
        report_missing(missing, Anomaly::QueueEventMissing);
    }
    const Timestamp ended = job.completed ? *job.completed : job.completed_by.value_or(m_now);
    const bool is_by_fences = is_told_by_fences(tracked);
    const bool was_run =
        job.submitted_by || (job.completed && (!tracked.ended_by_fence || is_by_fences));
    const KnownTime since = std::max(job.queued, before.submitted); // not before the trace began
    if (!job.submitted && was_run && since && lacks_run_event(tracked) &&
        (is_by_fences || has_seen(tracked.trace, m_steps.scheduler_run))) {
        missing.what = Missing::Submit;
        missing.when = {*since,
                        std::max(*since, std::min(job.submitted_by.value_or(ended), ended))};
        if (!job.completed) {
            missing.run = UnseenRun{missing.when, std::max(missing.when.end, ended)};
        }
        report_missing(missing, Anomaly::SubmitEventMissing);
        missing.run.reset();
    }
    if (!job.completed && job.completed_by) {
        missing.what = Missing::Completion;
        missing.when = {job.submitted.value_or(first_time(job)), *job.completed_by};
        if (!job.submitted) { // it may have been run at any time until then
            missing.run = UnseenRun{missing.when, *job.completed_by};
        }
        report_missing(missing, Anomaly::CompletionEventMissing);
    }
}

/// What an earlier reading found missing takes effect when its time comes.
void JobTracker::recall_missing(Timestamp now)
{
    const auto& missing = m_knowledge->missing();
    for (; m_next_missing < missing.size() && missing[m_next_missing].when.begin <= now;
         ++m_next_missing) {
        const MissingEvents& events = missing[m_next_missing];
        TraceState& facts = m_facts[events.trace];
        const Timestamp end = events.when.end;
        facts.missing_until = std::max(facts.missing_until.value_or(end), end);
        if (!events.ring) {
            facts.unplaced_until = std::max(facts.unplaced_until.value_or(end), end);
        }
        if (events.what == Missing::WholeJob || m_knowledge->has_shared_names()) {
            facts.unseen_jobs_until = std::max(facts.unseen_jobs_until.value_or(end), end);
        }
    }
}

void JobTracker::learn_from(const CaptureKnowledge& knowledge)
{
    m_knowledge = &knowledge;
    knowledge.name_only_devices(m_rings);
}

/// The end of a job that was closed because a later one of its context had ended: the clocks of
/// two CPUs differ, or the driver does not keep the order.
void JobTracker::note_late_end(const TrackedJob& tracked, Timestamp time)
{
    if (tracked.job.completed_by) {
        m_anomalies.count(Anomaly::ContextOutOfOrder);
        note_order(tracked.trace, {m_cpu, time}, {tracked.completed_on, *tracked.job.completed_by});
    }
}

/// What tells whether a CPU was recorded all the time.
void JobTracker::note_wholeness(const TrackedJob& tracked)
{
    const Job& job = tracked.job;
    if (job.queued && job.submitted && job.completed) {
        m_findings->add_whole(tracked.trace, {*job.queued, *job.completed});
    } else if (!job.queued && !tracked.is_tentative) {
        m_findings->add_unqueued(tracked.trace, first_time(job));
    }
}

/// A job whose queue event was not seen, though one with an earlier number of its scheduler was
/// queued in the trace. Whether the ring is that of one scheduler is known at the end only.
void JobTracker::note_unqueued_number(const TrackedJob& tracked)
{
    const std::uint32_t ring = tracked.job.ring->value();
    if (ring < m_numbers.size()) {
        m_numbers[ring].note_unqueued(*tracked.id, first_time(tracked.job));
    }
}

void JobTracker::note_continuous_numbers(RingId ring)
{
    const TraceId trace = m_rings.at(ring).trace;
    if (m_findings == nullptr || !m_numbers[ring.value()].has_any()) {
        return;
    }
    if (const auto span = m_numbers[ring.value()].continuous()) {
        m_findings->numbered.push_back({trace, *span});
    } else {
        m_findings->unnumbered.push_back(trace);
    }
}

void JobTracker::report_orders()
{
    m_facts.for_each([this](TraceId trace, const TraceState& facts) {
        if (m_findings != nullptr && facts.lacks_threads && is_told_twice(trace, facts.seen)) {
            m_findings->lacks_threads = true;
        }
    });
    for (std::size_t at = 0; at < m_unmatched_runs.size(); ++at) {
        report_unmatched_run(m_unmatched_runs[at]);
    }
    for (std::uint32_t number = 0; number < m_numbers.size(); ++number) {
        const RingId ring{number};
        const TraceId trace = m_rings.at(ring).trace;
        report_missing_numbers(ring, trace, m_numbers[number].finish(), m_now);
        note_continuous_numbers(ring);
        if (m_rings.at(ring).is_shared || m_rings.at(ring).is_split) {
            continue;
        }
        for (const TimeSpan& span : m_numbers[number].unqueued()) {
            report_missing({trace, Missing::Queue, 1, span, ring, {}}, Anomaly::QueueEventMissing);
        }
    }
    for (std::uint32_t number = 0; number < m_fifos.size(); ++number) {
        const OrderEvidence& order = m_fifos[number].order();
        Ring& ring = m_rings.at(RingId{number});
        ring.pairs_in_order = order.agreements();
        ring.disorder = order.find_disorder();
        ring.is_order_known = m_knowledge != nullptr || order.contradictions() == 0;
        if (m_findings != nullptr) {
            m_findings->rings.push_back({RingId{number}, order, ring.is_split || ring.is_shared});
        }
    }
    // Rings on which nothing was submitted have a device, too.
    for (auto number = static_cast<std::uint32_t>(m_fifos.size());
         m_findings != nullptr && number < m_rings.all().size(); ++number) {
        const Ring& ring = m_rings.at(RingId{number});
        m_findings->rings.push_back({RingId{number}, {}, ring.is_split || ring.is_shared});
    }
}

} // namespace lttng_gpu::model
