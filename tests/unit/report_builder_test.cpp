// SPDX-License-Identifier: MIT
//
// The report's numbers against a computation that shares nothing with it: time
// is walked nanosecond by nanosecond and jobs are counted by hand, for many
// thousands of random jobs and windows with fixed seeds.
#include "report/report_builder.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <functional>
#include <random>

using namespace lttng_gpu;
using namespace lttng_gpu::report;
using model::Job;

namespace {

using Random = std::mt19937_64;

std::int64_t pick(Random& random, std::int64_t from, std::int64_t to)
{
    return std::uniform_int_distribution<std::int64_t>{from, to}(random);
}

bool chance(Random& random, int percent)
{
    return pick(random, 1, 100) <= percent;
}

constexpr std::int64_t trace_begin = 1000;
constexpr std::int64_t trace_length = 250;

std::optional<Timestamp> some(Random& random, int percent, std::int64_t time)
{
    return chance(random, percent) ? std::optional{Timestamp{time}} : std::nullopt;
}

/// Any mixture of known and unknown times, in order, sometimes equal.
Job random_job(Random& random, std::uint32_t ring)
{
    Job job;
    job.ring = RingId{ring};
    job.actor.pid = Pid{pick(random, 1, 3)};
    std::int64_t time = trace_begin + pick(random, 0, trace_length);
    const auto step = [&] {
        time = std::min(trace_begin + trace_length, time + pick(random, 0, 25));
    };
    job.queued = some(random, 90, time);
    step();
    job.submitted = some(random, 90, time);
    step();
    const Timestamp started{time};
    step();
    job.completed = some(random, job.queued || job.submitted ? 90 : 100, time);
    if (job.submitted && job.completed && chance(random, 80)) {
        job.started = started;
        job.started_basis = model::Basis::Inferred;
    }
    job.is_alive_at_end = !job.completed && chance(random, 50);
    return job;
}

std::vector<Job> random_jobs(Random& random, std::size_t count)
{
    std::vector<Job> jobs;
    for (std::size_t index = 0; index < count; ++index) {
        jobs.push_back(random_job(random, static_cast<std::uint32_t>(pick(random, 0, 1))));
    }
    std::stable_sort(jobs.begin(), jobs.end(), [](const Job& left, const Job& right) {
        return first_time(left) < first_time(right);
    });
    return jobs;
}

struct Bounds {
    std::int64_t begin;
    std::int64_t end;
    bool is_end_inside; // an end nobody asked for is the last event's time
};

using Span = std::optional<std::pair<std::int64_t, std::int64_t>>;

Span span(std::optional<Timestamp> from, std::optional<Timestamp> to)
{
    return from && to ? Span{{from->value(), to->value()}} : Span{};
}

Span host_span(const Job& job, const Bounds& bounds)
{
    if (job.is_alive_at_end && !job.submitted) {
        return span(job.queued, Timestamp{bounds.end});
    }
    return span(job.queued, job.submitted);
}

Span device_span(const Job& job, const Bounds& bounds)
{
    return span(job.submitted, job.is_alive_at_end ? Timestamp{bounds.end} : job.completed);
}

bool covers(const Span& span, std::int64_t time)
{
    return span && span->first <= time && time < span->second;
}

struct Expected {
    std::uint64_t jobs = 0;
    std::vector<std::int64_t> host_times = std::vector<std::int64_t>(1000);
    std::vector<std::int64_t> device_times = std::vector<std::int64_t>(1000);
    std::int64_t busy = 0;
    StateTimes states;
    std::vector<std::int64_t> host_latencies;
    std::vector<std::int64_t> execution_latencies;
};

bool is_counted(const Job& job, const Bounds& bounds)
{
    const std::int64_t time = (job.submitted ? *job.submitted : first_time(job)).value();
    return bounds.begin <= time &&
           (time < bounds.end || (bounds.is_end_inside && time == bounds.end));
}

Expected walk(const std::vector<Job>& jobs, const Bounds& bounds)
{
    Expected expected;
    for (std::int64_t time = bounds.begin; time < bounds.end; ++time) {
        std::size_t host = 0;
        std::size_t queued = 0;
        bool is_busy = false;
        bool is_device_busy = false;
        for (const Job& job : jobs) {
            host += covers(host_span(job, bounds), time) ? 1U : 0U;
            queued += covers(span(job.submitted, job.started), time) ? 1U : 0U;
            is_busy = is_busy || covers(span(job.started, job.completed), time);
            is_device_busy = is_device_busy || covers(device_span(job, bounds), time);
        }
        ++expected.host_times[host];
        ++expected.device_times[queued];
        expected.busy += is_busy ? 1 : 0;
        std::int64_t& state =
            host > 0 ? (is_device_busy ? expected.states.both : expected.states.host_only)
                     : (is_device_busy ? expected.states.device_only : expected.states.idle);
        ++state;
    }
    for (const Job& job : jobs) {
        if (!is_counted(job, bounds)) {
            continue;
        }
        ++expected.jobs;
        if (job.queued && job.submitted) {
            expected.host_latencies.push_back((*job.submitted - *job.queued).value());
        }
        if (job.started && job.completed) {
            expected.execution_latencies.push_back((*job.completed - *job.started).value());
        }
    }
    return expected;
}

/// The definition of nearest rank, by counting.
std::int64_t rank_by_counting(const std::vector<std::int64_t>& values, std::uint64_t percent)
{
    std::int64_t best = *std::max_element(values.begin(), values.end());
    for (const std::int64_t candidate : values) {
        const auto not_larger = static_cast<std::uint64_t>(std::count_if(
            values.begin(), values.end(), [&](std::int64_t value) { return value <= candidate; }));
        if (not_larger * 100 >= percent * values.size()) {
            best = std::min(best, candidate);
        }
    }
    return best;
}

void check_latency(const LatencySummary& latency, const std::vector<std::int64_t>& values)
{
    REQUIRE(latency.count == values.size());
    if (values.empty()) {
        return;
    }
    CHECK(latency.min == *std::min_element(values.begin(), values.end()));
    CHECK(latency.p50 == rank_by_counting(values, 50));
    CHECK(latency.p90 == rank_by_counting(values, 90));
    CHECK(latency.p99 == rank_by_counting(values, 99));
    CHECK(latency.max == *std::max_element(values.begin(), values.end()));
}

void check_depths(const QueuePhase& queue, const std::vector<std::int64_t>& times)
{
    double depth_time = 0;
    double length = 0;
    std::size_t deepest = 0;
    for (std::size_t depth = 0; depth < times.size(); ++depth) {
        const std::int64_t time =
            depth < queue.times_by_depth.size() ? queue.times_by_depth[depth] : 0;
        REQUIRE(time == times[depth]);
        depth_time += static_cast<double>(depth) * static_cast<double>(times[depth]);
        length += static_cast<double>(times[depth]);
        deepest = times[depth] > 0 ? depth : deepest;
    }
    CHECK(queue.depth_max == deepest);
    CHECK(queue.depth_mean == doctest::Approx(length > 0 ? depth_time / length : 0));
}

void check_phases(const Phases& phases, const Expected& expected)
{
    check_depths(phases.host_queue, expected.host_times);
    check_depths(phases.device_queue, expected.device_times);
    CHECK(phases.execution.busy == expected.busy);
    check_latency(phases.host_queue.latency, expected.host_latencies);
    check_latency(phases.execution.latency, expected.execution_latencies);
}

struct RandomWindow {
    WindowRequest request;
    Bounds bounds;
};

RandomWindow random_window(Random& random)
{
    RandomWindow window{{}, {trace_begin, trace_begin + trace_length, true}};
    if (chance(random, 60)) {
        const std::int64_t begin = pick(random, 0, trace_length / 2);
        window.request.begin =
            chance(random, 50) ? TimeBound{true, begin} : TimeBound{false, trace_begin + begin};
        window.bounds.begin = trace_begin + begin;
    }
    if (chance(random, 60)) {
        const std::int64_t end = pick(random, trace_length / 2 + 1, trace_length);
        window.request.end = TimeBound{true, end};
        window.bounds.end = trace_begin + end;
        window.bounds.is_end_inside = false;
    }
    return window;
}

std::vector<Job> only(const std::vector<Job>& jobs, const std::function<bool(const Job&)>& wanted)
{
    std::vector<Job> result;
    std::copy_if(jobs.begin(), jobs.end(), std::back_inserter(result), wanted);
    return result;
}

struct Scene {
    StringPool strings;
    model::RingTable rings{strings};

    Scene()
    {
        rings.intern(TraceId{}, "a", "gfx");
        rings.intern(TraceId{}, "b", "gfx");
    }
};

Report build(const Scene& scene, Window& window, const std::vector<Job>& jobs)
{
    ReportBuilder builder{scene.rings, window};
    window.start(Timestamp{trace_begin});
    std::size_t index = 0;
    while (index < jobs.size() && !jobs[index].is_alive_at_end) {
        builder.on_job(jobs[index++]);
    }
    window.finish(Timestamp{trace_begin + trace_length}); // open jobs come after the end
    while (index < jobs.size()) {
        builder.on_job(jobs[index++]);
    }
    return builder.finish({});
}

} // namespace

TEST_CASE("report_when_jobs_are_random_then_equals_walk_through_time")
{
    Random random{20240607};
    for (int round = 0; round < 500; ++round) {
        const Scene scene;
        const auto jobs = random_jobs(random, 45);
        const RandomWindow chosen = random_window(random);
        Window window{chosen.request};
        const Report report = build(scene, window, jobs);
        CHECK(report.begin == Timestamp{chosen.bounds.begin});
        CHECK(report.end == Timestamp{chosen.bounds.end});
        REQUIRE(report.queues.size() == 2);
        std::uint64_t counted = 0;
        for (std::uint32_t ring = 0; ring < 2; ++ring) {
            const auto own = only(jobs, [&](const Job& job) { return job.ring == RingId{ring}; });
            const Expected expected = walk(own, chosen.bounds);
            const QueueReport& queue = report.queues[ring];
            counted += queue.jobs;
            CHECK(queue.jobs == expected.jobs);
            check_phases(queue.phases, expected);
            CHECK(queue.states.idle == expected.states.idle);
            CHECK(queue.states.host_only == expected.states.host_only);
            CHECK(queue.states.device_only == expected.states.device_only);
            CHECK(queue.states.both == expected.states.both);
            for (const ProcessReport& process : queue.processes) {
                const auto its =
                    only(own, [&](const Job& job) { return job.actor.pid == process.pid; });
                const Expected part = walk(its, chosen.bounds);
                CHECK(process.jobs == part.jobs);
                check_phases(process.phases, part);
            }
        }
        CHECK(report.jobs.all() == counted);
    }
}

TEST_CASE("report_when_start_is_unknown_then_device_counts_as_occupied_only")
{
    const Scene scene;
    Job job;
    job.ring = RingId{0};
    job.queued = Timestamp{1000};
    job.submitted = Timestamp{1010};
    job.completed = Timestamp{1100};
    Window window{{}};
    const Report report = build(scene, window, {job});
    const QueueReport& queue = report.queues.at(0);
    CHECK(queue.jobs_start_unknown == 1);
    CHECK(queue.phases.execution.busy == 0);
    CHECK(queue.phases.device_queue.depth_max == 0);
    CHECK(queue.states.device_only == 90);
    CHECK(queue.states.host_only == 10);
}

TEST_CASE("report_when_ring_proves_to_be_parallel_then_takes_back_the_starts_inferred_before")
{
    Scene scene;
    Job job;
    job.ring = RingId{0};
    job.actor.pid = Pid{1};
    job.queued = Timestamp{1000};
    job.submitted = Timestamp{1010};
    job.started = Timestamp{1050};
    job.completed = Timestamp{1100};
    scene.rings.at(RingId{0}).disorder = {{{Timestamp{1000}, Timestamp{1100}}, 3, 5}};
    Window window{{}};
    const Report report = build(scene, window, {job});
    const QueueReport& queue = report.queues.at(0);
    CHECK(queue.jobs_start_inferred == 0);
    CHECK(queue.jobs_start_unknown == 1);
    for (const Phases& phases : {queue.phases, queue.processes.at(0).phases}) {
        CHECK(phases.execution.busy == 0);
        CHECK(phases.execution.latency.count == 0);
        CHECK(phases.device_queue.depth_max == 0);
        CHECK(phases.device_queue.times_by_depth.at(0) == trace_length);
        CHECK(phases.device_queue.latency.count == 0);
        CHECK(phases.host_queue.latency.count == 1);
    }
    CHECK(queue.states.device_only == 90);
}

TEST_CASE("report_when_job_has_no_ring_then_is_accounted_but_in_no_queue")
{
    const Scene scene;
    Job job;
    job.completed = Timestamp{1100};
    Window window{{}};
    const Report report = build(scene, window, {job});
    CHECK(report.queues.empty());
    CHECK(report.jobs.no_queue == 1);
}

TEST_CASE("window_when_job_is_submitted_at_asked_end_then_belongs_to_the_next")
{
    Job job;
    job.queued = Timestamp{10};
    job.submitted = Timestamp{20};
    Window first{{TimeBound{false, 0}, TimeBound{false, 20}}};
    Window second{{TimeBound{false, 20}, {}}};
    first.start(Timestamp{0});
    second.start(Timestamp{0});
    CHECK_FALSE(first.counts(job));
    CHECK(second.counts(job));
}

TEST_CASE("window_when_asked_for_more_than_the_trace_then_is_the_trace")
{
    Window window{{TimeBound{false, -5}, TimeBound{true, 1000}}};
    window.start(Timestamp{100});
    CHECK(window.finish(Timestamp{300}));
    CHECK(window.begin() == Timestamp{100});
    CHECK(window.end() == Timestamp{300});
}

TEST_CASE("window_when_outside_of_the_trace_then_says_so")
{
    Window late{{TimeBound{false, 400}, {}}};
    late.start(Timestamp{100});
    CHECK_FALSE(late.finish(Timestamp{300}));
    Window early{{{}, TimeBound{false, 50}}};
    early.start(Timestamp{100});
    CHECK_FALSE(early.finish(Timestamp{300}));
    CHECK(early.length() == Duration{0});
}

TEST_CASE("percentile_when_few_values_then_is_nearest_rank")
{
    LatencyDistribution latencies;
    for (const std::int64_t value : {50, 15, 40, 20, 35}) {
        latencies.add(Duration{value});
    }
    const LatencySummary summary = latencies.summarise();
    CHECK(summary.p50 == 35);
    CHECK(summary.p90 == 50);
    CHECK(summary.sum == 160);
    CHECK(summary.min == 15);
    CHECK(LatencyDistribution{}.summarise().count == 0);
}
