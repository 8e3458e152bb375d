// SPDX-License-Identifier: MIT
//
// What the report says beside queues: preempted jobs, faults, dependencies and
// waits, and that it mentions them only where there are some.
#include "report/report_builder.hpp"
#include "report/report_sink.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace lttng_gpu;
using namespace lttng_gpu::report;
using model::Job;

namespace {

constexpr std::optional<Timestamp> at(std::int64_t time)
{
    return Timestamp{time};
}

/// Two rings, a builder and a window from 1000 to 2000.
class Scene {
public:
    explicit Scene(WindowRequest request = {}, LatencyBudget budget = {})
        : m_window{request}, m_builder{m_rings, m_window, std::move(budget)}
    {
        m_gfx = m_rings.intern(TraceId{}, "gpu", "gfx");
        m_copy = m_rings.intern(TraceId{}, "gpu", "copy");
        m_app = {Pid{7}, Tid{8}, m_strings.intern("app"), {}};
        m_shell = {Pid{9}, Tid{9}, m_strings.intern("shell"), {}};
        m_window.start(Timestamp{1000});
    }

    Job job(std::int64_t queued, std::int64_t submitted, std::int64_t started,
            std::int64_t completed) const
    {
        Job job;
        job.ring = m_gfx;
        job.fence = {FenceContext{1}, FenceSeqno{1}};
        job.actor = m_app;
        job.queued = at(queued);
        job.submitted = at(submitted);
        job.started = at(started);
        job.completed = at(completed);
        job.started_basis = model::Basis::Inferred;
        job.completed_basis = model::Basis::Observed;
        return job;
    }

    ReportBuilder& builder() { return m_builder; }
    Report finish()
    {
        m_window.finish(Timestamp{2000});
        return m_builder.finish({});
    }
    RingId gfx() const { return m_gfx; }
    RingId copy() const { return m_copy; }
    const model::Actor& app() const { return m_app; }
    const model::Actor& shell() const { return m_shell; }

private:
    StringPool m_strings;
    model::RingTable m_rings{m_strings};
    Window m_window;
    RingId m_gfx;
    RingId m_copy;
    model::Actor m_app;
    model::Actor m_shell;
    ReportBuilder m_builder;
};

std::string details(const Report& report)
{
    TextOptions options;
    options.has_details = true;
    return report_text(report, options);
}

model::Dependency dependency(const Scene& scene, std::int64_t since, std::optional<Timestamp> until)
{
    model::Dependency dependency;
    dependency.ring = scene.gfx();
    dependency.actor = scene.app();
    dependency.producer_ring = scene.copy();
    dependency.producer = scene.shell();
    dependency.since = Timestamp{since};
    dependency.until = until;
    dependency.is_blocking = true;
    return dependency;
}

model::Wait wait(const model::Actor& actor, std::int64_t begin, std::int64_t end)
{
    model::Wait wait;
    wait.actor = actor;
    wait.begin = Timestamp{begin};
    wait.end = Timestamp{end};
    return wait;
}

bool contains(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("report_when_job_is_preempted_then_counts_once_with_the_sum_of_its_intervals")
{
    Scene scene;
    Job first = scene.job(1000, 1010, 1020, 1100);
    first.is_last = false;
    first.ending = model::Ending::Preempted;
    Job second = scene.job(1100, 1200, 1250, 1300);
    second.interval = 1;
    scene.builder().on_job(first);
    scene.builder().on_job(second);
    // The later interval came with the first: this one is not late.
    Job other = scene.job(1050, 1060, 1300, 1400);
    other.fence.seqno = FenceSeqno{2};
    scene.builder().on_job(other);
    const Report report = scene.finish();
    CHECK(report.jobs.all() == 2);
    CHECK(report.intervals_out_of_order == 0);
    const QueueReport& queue = report.queues.at(0);
    CHECK(queue.jobs == 2);
    CHECK(queue.preemptions == 1);
    CHECK(queue.phases.execution.busy == 80 + 50 + 100);
    CHECK(queue.phases.execution.latency.count == 2);
    CHECK(queue.phases.execution.latency.max == 80 + 50);
    CHECK(queue.phases.host_queue.latency.max == 10 + 100);
    CHECK(queue.phases.device_queue.latency.min == 10 + 50);
    CHECK(contains(details(report), "  1 preemption\n"));
}

TEST_CASE("report_when_later_interval_comes_before_earlier_jobs_then_those_are_not_late")
{
    Scene scene;
    Job first = scene.job(1000, 1001, 1002, 1003);
    first.is_last = false;
    first.ending = model::Ending::Preempted;
    Job second = scene.job(1003, 1990, 1991, 1992);
    second.interval = 1;
    second.queued = at(1980);
    scene.builder().on_job(first);
    scene.builder().on_job(second);
    for (int index = 0; index < 5000; ++index) { // more than one batch of steps
        scene.builder().on_job(scene.job(1500, 1501, 1502, 1503));
    }
    const Report report = scene.finish();
    CHECK(report.intervals_out_of_order == 0);
    CHECK(report.queues.at(0).phases.execution.busy == 1 + 1 + 1);
    CHECK(report.queues.at(0).phases.host_queue.depth_max == 5000);
}

TEST_CASE("report_when_one_interval_has_no_start_then_the_sum_is_unknown")
{
    Scene scene;
    Job first = scene.job(1000, 1010, 1020, 1100);
    first.started = {};
    first.is_last = false;
    first.ending = model::Ending::Preempted;
    Job second = scene.job(1100, 1200, 1250, 1300);
    second.interval = 1;
    scene.builder().on_job(first);
    scene.builder().on_job(second);
    const Report report = scene.finish();
    const Phases& phases = report.queues.at(0).phases;
    CHECK(phases.execution.latency.count == 0);
    CHECK(phases.host_queue.latency.sum == 110);
    CHECK(phases.execution.busy == 50);
}

TEST_CASE("report_when_jobs_fail_or_are_lost_then_counts_them")
{
    Scene scene;
    Job failed = scene.job(1000, 1010, 1020, 1100);
    failed.fault = model::Fault::TimedOut;
    Job inferred = scene.job(1005, 1015, 1100, 1200);
    inferred.completed_basis = model::Basis::Inferred;
    Job lost = scene.job(1020, 1030, 1200, 1300);
    lost.started = lost.completed = {};
    lost.ending = model::Ending::Lost;
    for (const Job& job : {failed, inferred, lost}) {
        scene.builder().on_job(job);
    }
    const Report report = scene.finish();
    CHECK(report.queues.at(0).faults.timed_out == 1);
    CHECK(report.queues.at(0).jobs_completion_inferred == 1);
    CHECK(report.jobs.lost == 1);
    CHECK(report.jobs.no_complete == 1);
    const std::string text = details(report);
    CHECK(contains(text, "  1 job timed out · ends inferred for 1 job\n"));
    CHECK(contains(text, "1  of these jobs: the missing event is in a gap of the trace"));
}

TEST_CASE("report_when_runnable_and_observed_are_known_then_splits_the_latencies")
{
    Scene scene;
    Job job = scene.job(1000, 1100, 1200, 1300);
    job.runnable = at(1070);
    job.observed = at(1345);
    scene.builder().on_job(job);
    const Report report = scene.finish();
    const auto json = nlohmann::json::parse(report_json(report)).at("queues").at(0);
    CHECK(json.at("host_queue").at("dependencies_ns").at("sum") == 70);
    CHECK(json.at("host_queue").at("backend_ns").at("sum") == 30);
    CHECK(json.at("execution").at("observed_after_ns").at("sum") == 45);
    CHECK(contains(details(report), "    dependencies"));
    CHECK(contains(details(report), "  until observed"));
}

TEST_CASE("report_when_jobs_wait_for_others_then_overlapping_times_count_once")
{
    Scene scene;
    scene.builder().on_job(scene.job(1000, 1400, 1400, 1500));
    scene.builder().on_dependency(dependency(scene, 1100, at(1200)));
    scene.builder().on_dependency(dependency(scene, 1150, at(1300)));
    model::Dependency unknown = dependency(scene, 1280, at(1350));
    unknown.producer_ring = {};
    unknown.producer = {};
    scene.builder().on_dependency(unknown);
    model::Dependency noted = dependency(scene, 1100, {});
    noted.is_blocking = false;
    scene.builder().on_dependency(noted);
    model::Dependency homeless = noted;
    homeless.ring = {};
    scene.builder().on_dependency(homeless);
    const Report report = scene.finish();
    CHECK(report.dependencies_without_ring == 1);
    REQUIRE(report.queues.size() == 1);
    CHECK(report.queues[0].processes.at(0).blocked == 250);
    const auto& dependencies = report.queues[0].dependencies;
    REQUIRE(dependencies.size() == 2);
    CHECK(dependencies[0].producer_ring == "copy");
    CHECK(dependencies[0].producer_comm == "shell");
    CHECK(dependencies[0].count == 3);
    CHECK(dependencies[0].blocking == 2);
    CHECK(dependencies[0].blocked == 200);
    CHECK_FALSE(dependencies[1].is_producer_known);
    CHECK(dependencies[1].blocked == 70);
    const auto json = nlohmann::json::parse(report_json(report)).at("queues").at(0);
    CHECK(json.at("processes").at(0).at("blocked_ns") == 250);
    CHECK(json.at("dependencies").at(0).at("producer").at("ring") == "copy");
    CHECK(json.at("dependencies").at(1).at("producer").is_null());
    CHECK(contains(details(report), "gpu copy, 9 shell"));
}

TEST_CASE("report_when_dependency_reaches_out_of_the_window_then_the_inside_counts")
{
    Scene scene{{TimeBound{false, 1200}, TimeBound{false, 1400}}};
    scene.builder().on_dependency(dependency(scene, 1100, at(1250)));
    scene.builder().on_dependency(dependency(scene, 1390, at(1500)));
    scene.builder().on_dependency(dependency(scene, 1500, at(1600)));
    const Report report = scene.finish();
    REQUIRE(report.queues.size() == 1);
    CHECK(report.queues[0].processes.at(0).blocked == 60);
    CHECK(report.queues[0].dependencies.at(0).count == 1);
}

TEST_CASE("report_when_threads_wait_then_shows_wait_and_wake_up_times")
{
    Scene scene;
    model::Wait known = wait(scene.shell(), 1100, 1300);
    known.ring = scene.gfx();
    known.signaled = at(1290);
    scene.builder().on_wait(known);
    model::Wait late = wait(scene.shell(), 1400, 1405); // signaled before it began
    late.ring = scene.gfx();
    late.signaled = at(1390);
    scene.builder().on_wait(late);
    scene.builder().on_wait(wait(scene.app(), 1000, 1600));
    const Report report = scene.finish();
    REQUIRE(report.queues.size() == 1);
    const ProcessReport& process = report.queues[0].processes.at(0);
    CHECK(process.comm == "shell");
    CHECK(process.jobs == 0);
    CHECK(process.waits.length->count == 2);
    CHECK(process.waits.length->max == 200);
    CHECK(process.waits.wake_up->min == 5);
    CHECK(process.waits.wake_up->max == 10);
    REQUIRE(report.foreign_waits.size() == 1);
    CHECK(report.foreign_waits[0].waits.length->sum == 600);
    CHECK(report.foreign_waits[0].waits.wake_up->count == 0);
    const auto json = nlohmann::json::parse(report_json(report));
    CHECK(json.at("queues").at(0).at("processes").at(0).at("waits").at("wake_up_ns").at("sum") ==
          15);
    CHECK(json.at("waits_for_other_fences").at(0).at("comm") == "app");
    CHECK(contains(details(report), "threads that waited for jobs of this ring"));
    CHECK(contains(details(report), "threads that waited for fences of unknown jobs"));
}

TEST_CASE("report_when_there_are_too_many_latencies_then_states_the_error")
{
    Scene scene{{}, LatencyBudget{100, 1U << 20U}};
    constexpr int count = 5000;
    for (int index = 0; index < count; ++index) {
        scene.builder().on_job(scene.job(1000, 1100, 1200, 1900 + index % 100));
    }
    const Report report = scene.finish();
    const LatencySummary& latency = report.queues.at(0).phases.execution.latency;
    CHECK(latency.count == count);
    CHECK(latency.max == 799);
    CHECK(latency.p50 == 749); // a bucket two wide
    CHECK(latency.error_ratio == 1.0 / 1024);
    const auto json = nlohmann::json::parse(report_json(report)).at("queues").at(0);
    CHECK(json.at("execution").at("latency_ns").at("error_ratio") == 1.0 / 1024);
    CHECK(contains(details(report), "p50, p90 and p99 are within 0.098 %"));
}

TEST_CASE("report_text_when_nothing_special_happened_then_has_no_extra_sections")
{
    Scene scene;
    scene.builder().on_job(scene.job(1000, 1400, 1400, 1500));
    const std::string text = details(scene.finish());
    for (const char* word : {"preempt", "timed out", "waited for", "dependencies", "observed",
                             "within", "too late", "blocked"}) {
        INFO(word);
        CHECK_FALSE(contains(text, word));
    }
}

TEST_CASE("report_when_no_event_tells_of_completions_then_the_device_is_unknown")
{
    Scene scene;
    Job job = scene.job(1000, 1400, 0, 0);
    job.started = job.completed = {};
    scene.builder().on_job(job);
    const Report report = scene.finish();
    const auto json = nlohmann::json::parse(report_json(report)).at("queues").at(0);
    CHECK(json.at("state_ns").at("host_only").is_null());
    CHECK(json.at("state_ns").at("idle").is_null());
    CHECK(json.at("execution").at("busy_ratio").is_null());
    CHECK(json.at("device_queue").at("depth_mean").is_null());
    CHECK(json.at("host_queue").at("depth_mean") == 0.4);
    CHECK(contains(json.at("unknown_because").get<std::string>(), "completed"));
    CHECK_FALSE(contains(details(report), "GPU idle for"));
}

TEST_CASE("report_when_a_job_has_not_ended_then_names_it_and_those_behind_it")
{
    Scene scene;
    scene.builder().on_job(scene.job(1000, 1010, 1010, 1100));
    Job open = scene.job(1200, 1210, 0, 0);
    open.started = open.completed = {};
    open.is_alive_at_end = true;
    open.fence.seqno = FenceSeqno{2};
    scene.builder().on_job(open);
    open.fence.seqno = FenceSeqno{3};
    open.queued = at(1300);
    open.submitted = {};
    open.actor = scene.shell();
    scene.builder().on_job(open);
    const Report report = scene.finish();
    REQUIRE(report.queues.at(0).stall.has_value());
    const Stall& stall = *report.queues.at(0).stall;
    CHECK(stall.seqno == FenceSeqno{2});
    CHECK(stall.is_on_device);
    CHECK(stall.is_longest);
    CHECK(stall.length == 790);
    CHECK(stall.behind == 1);
    CHECK(stall.behind_by.at(0).comm == "shell");
    CHECK(contains(details(report),
                   "job 1:2 of app 7 has not completed in 790 ns; 1 job of shell 9"));
}

TEST_CASE("report_when_processes_are_unknown_then_threads_are_rows_of_their_own")
{
    Scene scene;
    for (const std::int64_t tid : {10, 20, 20}) {
        Job job = scene.job(1000, 1010, 1010, 1100);
        job.actor.pid = {};
        job.actor.tid = Tid{tid};
        scene.builder().on_job(job);
    }
    const Report report = scene.finish();
    const auto& processes = report.queues.at(0).processes;
    REQUIRE(processes.size() == 2);
    CHECK(processes[0].jobs == 2);
    CHECK(processes[0].tid == Tid{20});
    CHECK(contains(details(report), "app-10"));
}

TEST_CASE("report_when_window_has_an_end_then_job_alive_at_the_end_counts_until_there")
{
    Scene scene{{{}, TimeBound{false, 1500}}};
    Job job = scene.job(1000, 1400, 0, 0);
    job.started = job.completed = {};
    job.is_alive_at_end = true;
    scene.builder().on_job(job);
    const Report report = scene.finish();
    CHECK(report.queues.at(0).states.device_only == 100);
    CHECK(report.queues.at(0).states.host_only == 400);
}
