// SPDX-License-Identifier: MIT
//
// See report_builder.hpp. What is done per item; report_summary.cpp has the end.
#include "report_builder.hpp"

#include "queue_groups.hpp"
#include "report_summary.hpp"

#include <utility>

namespace lttng_gpu::report {
namespace {

std::optional<Duration> between(std::optional<Timestamp> begin, std::optional<Timestamp> end)
{
    return begin && end ? std::optional{*end - *begin} : std::nullopt;
}

std::optional<Duration> sum(std::optional<Duration> left, std::optional<Duration> right)
{
    return left && right ? std::optional{*left + *right} : std::nullopt;
}

} // namespace

ReportBuilder::ReportBuilder(const model::RingTable& rings, const Window& window,
                             LatencyBudget budget)
    : m_rings{rings}, m_window{window}, m_budget{std::move(budget)}, m_tallies{m_budget}
{
}

void ReportBuilder::start()
{
    m_is_started = true;
    m_first = m_window.begin().value();
    m_limit = m_window.clip(Timestamp{std::numeric_limits<std::int64_t>::max()}).value();
    m_occupancy.begin_at(m_first);
}

void ReportBuilder::on_job(const model::Job& job)
{
    if (!m_is_started) {
        start();
    }
    const bool is_counted = contains(job.submitted ? *job.submitted : first_time(job));
    if (is_counted && job.is_last) {
        count(job);
        m_api_calls.add_job(job);
    }
    if (!job.ring) {
        add_uncertain(job, m_uncertain);
        return; // only its completion was seen, and that does not name the ring
    }
    const std::uint32_t number = m_tallies.find_or_add(*job.ring, job.actor, m_occupancy);
    ProcessTally& process = m_tallies.process(number);
    m_tallies.ring_of(process).told.add(job);
    m_tallies.ring_of(process).stall.add(job);
    add_life(job, number);
    if (!is_plain(job)) {
        add_uncertain(job, m_tallies.ring_of(process).uncertain);
    }
    if (job.ending == model::Ending::Preempted && job.completed && contains(*job.completed)) {
        ++m_tallies.ring_of(process).preemptions;
    }
    if (is_counted && job.is_last) {
        count_on_ring(job, process);
        add_latencies(job, process);
    } else if (job.interval > 0 || !job.is_last) {
        add_interval(job);
    }
}

void ReportBuilder::count(const model::Job& job)
{
    switch (status_of(job)) {
    case model::JobStatus::Complete:
        ++m_counts.complete;
        break;
    case model::JobStatus::NoQueue:
        ++m_counts.no_queue;
        break;
    case model::JobStatus::NoSubmit:
        ++m_counts.no_submit;
        break;
    case model::JobStatus::NoComplete:
        ++m_counts.no_complete;
        break;
    case model::JobStatus::NoTimes:
        ++m_counts.no_times;
        break;
    }
    m_counts.lost += job.ending == model::Ending::Lost ? 1 : 0;
}

void ReportBuilder::count_on_ring(const model::Job& job, ProcessTally& process)
{
    ++process.jobs;
    process.without_times += status_of(job) == model::JobStatus::NoTimes ? 1 : 0;
    RingTally& ring = m_tallies.ring_of(process);
    if (job.started) {
        ring.start_inferred += job.started_basis != model::Basis::Observed ? 1 : 0;
    } else if (job.submitted && job.completed) {
        ++ring.start_unknown;
    }
    if (job.completed && job.completed_basis == model::Basis::Inferred) {
        ++ring.completion_inferred;
    }
    switch (job.fault) {
    case model::Fault::TimedOut:
        ++ring.faults.timed_out;
        break;
    case model::Fault::Error:
        ++ring.faults.error;
        break;
    case model::Fault::Banned:
        ++ring.faults.banned;
        break;
    case model::Fault::None:
        break;
    }
}

/// Most jobs: all times known, in order and inside the window.
bool ReportBuilder::is_plain(const model::Job& job) const
{
    return job.queued && job.submitted && job.started && job.completed &&
           m_first <= job.queued->value() && *job.queued <= *job.submitted &&
           *job.submitted <= *job.started && *job.started <= *job.completed &&
           job.completed->value() <= m_limit;
}

Life ReportBuilder::life_of(const model::Job& job) const
{
    if (is_plain(job)) {
        return {.times = {job.queued->value(), job.submitted->value(), job.started->value(),
                          job.completed->value()},
                .known = Life::all_known};
    }
    Life life;
    std::int64_t time = clip(first_time(job));
    const std::array points{&job.queued, &job.submitted, &job.started, &job.completed};
    for (std::size_t point = 0; point < points.size(); ++point) {
        if (*points[point]) {
            time = std::max(time, clip(**points[point])); // never back, whatever a trace says
            life.known = static_cast<std::uint8_t>(life.known | 1U << point);
        }
        life.times[point] = time;
    }
    if (job.is_alive_at_end) {
        life.known |= Life::no_end;
    }
    return life;
}

void ReportBuilder::add_life(const model::Job& job, std::uint32_t process)
{
    const Life life = life_of(job);
    const bool has_length = life.times.front() < life.times.back();
    if (has_length || job.is_alive_at_end) {
        // Later intervals come with their job's first; they do not tell where the order stands.
        m_occupancy.add(process, life, job.interval == 0 ? life.times.front() : m_first);
        const std::uint32_t ring = m_tallies.process(process).ring;
        if (ring < DepthCurve::most_curves) {
            m_tallies.ring_of(m_tallies.process(process)).curve.add(life, m_first);
        }
    }
}

/// Of each phase that is not known, the longest stretch of time in which it can have been. A job
/// that nothing has ended may last until the end of the window.
void ReportBuilder::add_uncertain(const model::Job& job, UncertainTimes& uncertain) const
{
    using Known = std::optional<std::int64_t>;
    const auto place = [this](const KnownTime& time) {
        return time ? Known{inside(*time)} : Known{};
    };
    const Known ended = place(job.completed ? job.completed : job.completed_by);
    if (first_time(job).value() >= m_limit || (ended && *ended <= 0)) {
        return;
    }
    const Known submitted = place(job.submitted ? job.submitted : job.submitted_by);
    const std::int64_t queued = place(job.queued).value_or(0);
    const std::int64_t on_device = place(job.submitted).value_or(queued);
    const bool is_alive = job.is_alive_at_end && !job.completed;
    if (!(job.queued && (job.submitted || is_alive))) {
        uncertain.host_queue.add(queued, submitted ? submitted : ended);
    }
    if (is_alive && !job.submitted) {
        return; // in the host queue until the end
    }
    if (!(job.submitted && job.started)) {
        uncertain.device_queue.add(on_device, job.started ? place(job.started) : ended);
    }
    if (!(job.started && job.completed)) {
        constexpr std::int64_t open = std::numeric_limits<std::int64_t>::max();
        uncertain.execution.add(place(job.started).value_or(on_device), ended.value_or(open));
    }
}

void ReportBuilder::on_unseen(const model::UnseenJobs& jobs)
{
    if (!m_is_started) {
        start();
    }
    UncertainTimes* uncertain = &m_uncertain;
    if (jobs.ring) {
        const std::uint32_t number = m_tallies.find_or_add(*jobs.ring, {}, m_occupancy);
        uncertain = &m_tallies.ring_of(m_tallies.process(number)).uncertain;
    }
    const auto count = static_cast<std::int64_t>(jobs.count);
    const std::int64_t begin = inside(jobs.begin);
    const std::int64_t end = inside(jobs.end);
    uncertain->host_queue.add(begin, end, count);
    uncertain->device_queue.add(begin, end, count);
    uncertain->execution.add(begin, end);
}

void ReportBuilder::on_frame(const model::Frame& frame)
{
    if (!m_is_started) {
        start();
    }
    if (contains(frame.end)) {
        m_frames.add(frame);
    }
}

void ReportBuilder::on_api_call(const model::ReturnedCall& call)
{
    if (!m_is_started) {
        start();
    }
    if (contains(call.end)) {
        m_api_calls.add_call(call);
    }
}

void ReportBuilder::on_completion_notice(const model::CompletionNotice& end)
{
    if (!m_is_started) {
        start();
    }
    if (contains(end.counted)) {
        m_api_calls.add_learned(end);
    }
}

PhaseLengths ReportBuilder::lengths_of(const model::Job& job)
{
    return {.host_queue = between(job.queued, job.submitted),
            .device_queue = between(job.submitted, job.started),
            .execution = between(job.started, job.completed),
            .whole = whole_of(job)};
}

std::optional<ReportBuilder::Intervals> ReportBuilder::add_interval(const model::Job& job)
{
    const std::array<std::uint64_t, 3> key{job.ring->value(),
                                           job.fence.context.value_or(FenceContext{}).value(),
                                           job.fence.seqno.value_or(FenceSeqno{}).value()};
    const PhaseLengths own = lengths_of(job);
    const auto [found, is_new] = m_preempted.try_emplace(key, Intervals{job.queued, own});
    PhaseLengths& total = found->second.lengths;
    if (!is_new) {
        total = {.host_queue = sum(total.host_queue, own.host_queue),
                 .device_queue = sum(total.device_queue, own.device_queue),
                 .execution = sum(total.execution, own.execution),
                 .whole = sum(total.whole, own.whole)};
    }
    if (!job.is_last) {
        return {};
    }
    const Intervals result = found->second;
    m_preempted.erase(found);
    return result;
}

/// What is told of single jobs and calls.
void ReportBuilder::add_to_tables(const model::Job& job, KnownTime queued,
                                  const PhaseLengths& lengths)
{
    if (queued && job.completed) {
        m_longest.offer(job, *queued, lengths);
    } else if (queued && job.is_alive_at_end) {
        m_longest.offer_open(job, *queued, lengths);
    }
    if (job.api_call != StringId{}) {
        m_calls.add(job, sum(lengths.host_queue, lengths.device_queue), lengths.execution);
    }
}

void ReportBuilder::add_latencies(const model::Job& job, ProcessTally& process)
{
    const Intervals intervals =
        job.interval == 0 ? Intervals{job.queued, lengths_of(job)} : *add_interval(job);
    const PhaseLengths& lengths = intervals.lengths;
    add_to_tables(job, intervals.queued, lengths);
    if (lengths.host_queue) {
        m_tallies.made(process.host_queue).add(*lengths.host_queue);
    }
    if (lengths.device_queue) {
        m_tallies.made(process.device_queue).add(*lengths.device_queue);
    }
    if (lengths.execution) {
        m_tallies.made(process.execution).add(*lengths.execution);
    }
    m_tallies.ring_of(process).latency.add(lengths.whole);
    m_budget.on_added(3);
    // Of a preempted job, what is known of the first interval says little about all of them.
    if (job.interval == 0 && job.queued && job.runnable && job.submitted &&
        *job.queued <= *job.runnable && *job.runnable <= *job.submitted) {
        m_tallies.add(process.dependencies, *job.runnable - *job.queued);
        m_tallies.add(process.backend, *job.submitted - *job.runnable);
    }
    if (job.interval == 0 && job.submitted && !job.started && job.completed) {
        m_tallies.add(process.on_device, *job.completed - *job.submitted);
    }
    if (job.observed && job.completed && *job.completed <= *job.observed) {
        m_tallies.add(process.observation, *job.observed - *job.completed);
    }
}

void ReportBuilder::on_dependency(const model::Dependency& dependency)
{
    if (!m_is_started) {
        start();
    }
    const bool is_counted = contains(dependency.since);
    if (!dependency.ring) {
        m_without_ring += is_counted ? 1 : 0;
        return;
    }
    std::optional<std::pair<std::int64_t, std::int64_t>> blocked;
    if (dependency.is_blocking && dependency.until) {
        blocked = {clip(dependency.since), clip(*dependency.until)};
    }
    if (!is_counted && (!blocked || blocked->first >= blocked->second)) {
        return; // outside of the window
    }
    const std::uint32_t process =
        m_tallies.find_or_add(*dependency.ring, dependency.actor, m_occupancy);
    bool is_whole = m_dependencies.add(process, dependency, is_counted, blocked);
    if (blocked) {
        is_whole =
            m_tallies.process(process).blocked.add(blocked->first, blocked->second) && is_whole;
    }
    m_out_of_order += is_whole ? 0 : 1;
}

WaitTally& ReportBuilder::waits_of(const model::Wait& wait)
{
    if (wait.ring) {
        return m_tallies.process(m_tallies.find_or_add(*wait.ring, wait.actor, m_occupancy)).waits;
    }
    const std::uint32_t number = m_foreign_waiters.find_or_add(ActorKey{wait.actor});
    if (number == m_foreign_waits.size()) {
        m_foreign_waits.emplace_back();
    }
    return m_foreign_waits[number];
}

void ReportBuilder::on_wait(const model::Wait& wait)
{
    if (!m_is_started) {
        start();
    }
    if (!contains(wait.end)) {
        return;
    }
    WaitTally& waits = waits_of(wait);
    waits.inferred += wait.is_inferred ? 1 : 0;
    m_tallies.add(waits.length, wait.end - wait.begin);
    if (wait.signaled && *wait.signaled <= wait.end) {
        m_tallies.add(waits.wake_up, wait.end - std::max(*wait.signaled, wait.begin));
    }
}

Report ReportBuilder::finish(TraceAccount trace, Workers* workers)
{
    if (!m_is_started) {
        start();
    }
    m_occupancy.finish(m_window.end().value());
    // Of a CPU without any event, and of what came too late, the amount is unknown.
    const bool has_upper_bounds = trace.anomalies.at(Anomaly::CpuMissing) == 0 &&
                                  m_out_of_order + m_occupancy.out_of_order() == 0;
    Report report;
    report.begin = m_window.begin();
    report.end = m_window.end();
    report.trace = std::move(trace);
    report.jobs = m_counts;
    report.intervals_out_of_order = m_out_of_order + m_occupancy.out_of_order();
    report.dependencies_without_ring = m_without_ring;
    const Counted counted{m_rings,           m_tallies,      m_occupancy, m_dependencies,
                          m_window.length(), m_window.end(), m_uncertain, has_upper_bounds};
    report.queues = make_queues(counted, workers);
    report.groups = make_groups(counted, report.queues);
    report.longest_jobs = m_longest.finish(m_rings, m_window.end());
    report.calls = m_calls.finish(m_rings);
    report.frames = m_frames.finish(m_rings);
    report.api_calls = m_api_calls.finish(m_rings);
    report.foreign_waits = make_foreign_waits(m_rings, m_foreign_waiters.keys(), m_foreign_waits);
    return report;
}

} // namespace lttng_gpu::report
