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
    : x_rings{rings}, x_window{window}, x_budget{std::move(budget)}, x_tallies{x_budget}
{
}

void ReportBuilder::start()
{
    x_is_started = true;
    x_first = x_window.begin().value();
    x_limit = x_window.clip(Timestamp{std::numeric_limits<std::int64_t>::max()}).value();
    x_occupancy.begin_at(x_first);
}

void ReportBuilder::on_job(const model::Job& job)
{
    if (!x_is_started) {
        start();
    }
    const bool is_counted = contains(job.submitted ? *job.submitted : first_time(job));
    if (is_counted && job.is_last) {
        count(job);
        x_api_calls.add_job(job);
    }
    if (!job.ring) {
        add_uncertain(job, x_uncertain);
        return; // only its completion was seen, and that does not name the ring
    }
    const std::uint32_t number = x_tallies.find_or_add(*job.ring, job.actor, x_occupancy);
    ProcessTally& process = x_tallies.process(number);
    x_tallies.ring_of(process).told.add(job);
    x_tallies.ring_of(process).stall.add(job);
    add_life(job, number);
    if (!is_plain(job)) {
        add_uncertain(job, x_tallies.ring_of(process).uncertain);
    }
    if (job.ending == model::Ending::Preempted && job.completed && contains(*job.completed)) {
        ++x_tallies.ring_of(process).preemptions;
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
        ++x_counts.complete;
        break;
    case model::JobStatus::NoQueue:
        ++x_counts.no_queue;
        break;
    case model::JobStatus::NoSubmit:
        ++x_counts.no_submit;
        break;
    case model::JobStatus::NoComplete:
        ++x_counts.no_complete;
        break;
    case model::JobStatus::NoTimes:
        ++x_counts.no_times;
        break;
    }
    x_counts.lost += job.ending == model::Ending::Lost ? 1 : 0;
}

void ReportBuilder::count_on_ring(const model::Job& job, ProcessTally& process)
{
    ++process.jobs;
    process.without_times += status_of(job) == model::JobStatus::NoTimes ? 1 : 0;
    RingTally& ring = x_tallies.ring_of(process);
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
           x_first <= job.queued->value() && *job.queued <= *job.submitted &&
           *job.submitted <= *job.started && *job.started <= *job.completed &&
           job.completed->value() <= x_limit;
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
        x_occupancy.add(process, life, job.interval == 0 ? life.times.front() : x_first);
        const std::uint32_t ring = x_tallies.process(process).ring;
        if (ring < DepthCurve::most_curves) {
            x_tallies.ring_of(x_tallies.process(process)).curve.add(life, x_first);
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
    if (first_time(job).value() >= x_limit || (ended && *ended <= 0)) {
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
    if (!x_is_started) {
        start();
    }
    UncertainTimes* uncertain = &x_uncertain;
    if (jobs.ring) {
        const std::uint32_t number = x_tallies.find_or_add(*jobs.ring, {}, x_occupancy);
        uncertain = &x_tallies.ring_of(x_tallies.process(number)).uncertain;
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
    if (!x_is_started) {
        start();
    }
    if (contains(frame.end)) {
        x_frames.add(frame);
    }
}

void ReportBuilder::on_api_call(const model::ReturnedCall& call)
{
    if (!x_is_started) {
        start();
    }
    if (contains(call.end)) {
        x_api_calls.add_call(call);
    }
}

void ReportBuilder::on_learned(const model::LearnedEnd& end)
{
    if (!x_is_started) {
        start();
    }
    if (contains(end.counted)) {
        x_api_calls.add_learned(end);
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
    const auto [found, is_new] = x_preempted.try_emplace(key, Intervals{job.queued, own});
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
    x_preempted.erase(found);
    return result;
}

/// What is told of single jobs and calls.
void ReportBuilder::add_to_tables(const model::Job& job, KnownTime queued,
                                  const PhaseLengths& lengths)
{
    if (queued && job.completed) {
        x_longest.offer(job, *queued, lengths);
    } else if (queued && job.is_alive_at_end) {
        x_longest.offer_open(job, *queued, lengths);
    }
    if (job.api_call != StringId{}) {
        x_calls.add(job, sum(lengths.host_queue, lengths.device_queue), lengths.execution);
    }
}

void ReportBuilder::add_latencies(const model::Job& job, ProcessTally& process)
{
    const Intervals intervals =
        job.interval == 0 ? Intervals{job.queued, lengths_of(job)} : *add_interval(job);
    const PhaseLengths& lengths = intervals.lengths;
    add_to_tables(job, intervals.queued, lengths);
    if (lengths.host_queue) {
        x_tallies.made(process.host_queue).add(*lengths.host_queue);
    }
    if (lengths.device_queue) {
        x_tallies.made(process.device_queue).add(*lengths.device_queue);
    }
    if (lengths.execution) {
        x_tallies.made(process.execution).add(*lengths.execution);
    }
    x_tallies.ring_of(process).latency.add(lengths.whole);
    x_budget.on_added(3);
    // Of a preempted job, what is known of the first interval says little about all of them.
    if (job.interval == 0 && job.queued && job.runnable && job.submitted &&
        *job.queued <= *job.runnable && *job.runnable <= *job.submitted) {
        x_tallies.add(process.dependencies, *job.runnable - *job.queued);
        x_tallies.add(process.backend, *job.submitted - *job.runnable);
    }
    if (job.interval == 0 && job.submitted && !job.started && job.completed) {
        x_tallies.add(process.on_device, *job.completed - *job.submitted);
    }
    if (job.observed && job.completed && *job.completed <= *job.observed) {
        x_tallies.add(process.observation, *job.observed - *job.completed);
    }
}

void ReportBuilder::on_dependency(const model::Dependency& dependency)
{
    if (!x_is_started) {
        start();
    }
    const bool is_counted = contains(dependency.since);
    if (!dependency.ring) {
        x_without_ring += is_counted ? 1 : 0;
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
        x_tallies.find_or_add(*dependency.ring, dependency.actor, x_occupancy);
    bool is_whole = x_dependencies.add(process, dependency, is_counted, blocked);
    if (blocked) {
        is_whole =
            x_tallies.process(process).blocked.add(blocked->first, blocked->second) && is_whole;
    }
    x_out_of_order += is_whole ? 0 : 1;
}

WaitTally& ReportBuilder::waits_of(const model::Wait& wait)
{
    if (wait.ring) {
        return x_tallies.process(x_tallies.find_or_add(*wait.ring, wait.actor, x_occupancy)).waits;
    }
    const std::uint32_t number = x_foreign_waiters.find_or_add(ActorKey{wait.actor});
    if (number == x_foreign_waits.size()) {
        x_foreign_waits.emplace_back();
    }
    return x_foreign_waits[number];
}

void ReportBuilder::on_wait(const model::Wait& wait)
{
    if (!x_is_started) {
        start();
    }
    if (!contains(wait.end)) {
        return;
    }
    WaitTally& waits = waits_of(wait);
    waits.inferred += wait.is_inferred ? 1 : 0;
    x_tallies.add(waits.length, wait.end - wait.begin);
    if (wait.signaled && *wait.signaled <= wait.end) {
        x_tallies.add(waits.wake_up, wait.end - std::max(*wait.signaled, wait.begin));
    }
}

Report ReportBuilder::finish(TraceAccount trace, Workers* workers)
{
    if (!x_is_started) {
        start();
    }
    x_occupancy.finish(x_window.end().value());
    // Of a CPU without any event, and of what came too late, the amount is unknown.
    const bool has_upper_bounds = trace.anomalies.at(Anomaly::CpuMissing) == 0 &&
                                  x_out_of_order + x_occupancy.out_of_order() == 0;
    Report report;
    report.begin = x_window.begin();
    report.end = x_window.end();
    report.trace = std::move(trace);
    report.jobs = x_counts;
    report.intervals_out_of_order = x_out_of_order + x_occupancy.out_of_order();
    report.dependencies_without_ring = x_without_ring;
    const Counted counted{x_rings,           x_tallies,      x_occupancy, x_dependencies,
                          x_window.length(), x_window.end(), x_uncertain, has_upper_bounds};
    report.queues = make_queues(counted, workers);
    report.groups = make_groups(counted, report.queues);
    report.longest_jobs = x_longest.finish(x_rings, x_window.end());
    report.calls = x_calls.finish(x_rings);
    report.frames = x_frames.finish(x_rings);
    report.api_calls = x_api_calls.finish(x_rings);
    report.foreign_waits = make_foreign_waits(x_rings, x_foreign_waiters.keys(), x_foreign_waits);
    return report;
}

} // namespace lttng_gpu::report
