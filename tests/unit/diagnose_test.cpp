// SPDX-License-Identifier: MIT
//
// One test for each reason, and what cannot be told.
#include "diagnose_story.hpp"

#include <doctest/doctest.h>

namespace lttng_gpu::test {
namespace {

using diagnose::Gap;
using diagnose::Reason;

constexpr std::int64_t ms = 1'000'000;

TEST_CASE("diagnosis_when_nothing_is_in_the_way_then_handover_and_execution")
{
    DiagnoseStory story;
    story.job({.queued = 1 * ms, .submitted = 1 * ms + 20'000, .completed = 3 * ms});
    const auto& parts = story.only().parts;
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].reason == Reason::Handover);
    CHECK(parts[0].length == Duration{20'000});
    CHECK(parts[1].reason == Reason::Execution);
    CHECK(parts[1].length == Duration{2 * ms - 20'000});
}

TEST_CASE("diagnosis_when_ring_runs_others_then_it_is_shared")
{
    DiagnoseStory story;
    story.job({.pid = 200, .queued = 1 * ms, .submitted = 1 * ms, .completed = 5 * ms});
    story.job({.pid = 100,
               .queued = 2 * ms,
               .submitted = 2 * ms,
               .started = 5 * ms,
               .completed = 6 * ms});
    const auto parts = story.of(100, 1).parts;
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].reason == Reason::RingShared);
    CHECK(parts[0].length == Duration{3 * ms});
    CHECK(parts[0].actor.pid == Pid{200});
    CHECK(parts[0].is_inferred);
}

TEST_CASE("diagnosis_when_ring_runs_own_jobs_then_it_is_busy_with_own")
{
    DiagnoseStory story;
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 5 * ms});
    story.job({.queued = 2 * ms, .submitted = 2 * ms, .started = 5 * ms, .completed = 6 * ms});
    CHECK(story.time(story.of(100, 2), Reason::RingBusyOwn) == 3 * ms);
}

TEST_CASE("diagnosis_when_process_of_busy_ring_is_unknown_then_it_says_so")
{
    DiagnoseStory story;
    story.job({.pid = 0, .queued = 1 * ms, .submitted = 1 * ms, .completed = 5 * ms});
    story.job({.queued = 2 * ms, .submitted = 2 * ms, .started = 5 * ms, .completed = 6 * ms});
    CHECK(story.time(story.of(100, 1), Reason::RingBusyUnknown) == 3 * ms);
}

TEST_CASE("diagnosis_when_device_queue_is_full_then_back_pressure")
{
    DiagnoseStory story;
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 4 * ms});
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .started = 4 * ms, .completed = 6 * ms});
    story.job({.queued = 2 * ms, .submitted = 4 * ms, .started = 6 * ms, .completed = 7 * ms});
    const auto diagnosis = story.of(100, 3);
    CHECK(story.time(diagnosis, Reason::BackPressure) == 2 * ms);
    CHECK(story.time(diagnosis, Reason::RingBusyOwn) == 2 * ms);
    CHECK(story.time(diagnosis, Reason::Execution) == 1 * ms);
}

TEST_CASE("diagnosis_when_ready_and_ring_has_room_then_worker_is_late")
{
    DiagnoseStory story;
    story.run(50, 3, 4 * ms, 1 * ms); // the worker: preempted at 1 ms, runs at 4 ms
    story.job({.queued = 2 * ms, .submitted = 4 * ms, .completed = 5 * ms, .submitter = 50});
    const auto diagnosis = story.only();
    CHECK(story.time(diagnosis, Reason::WorkerLate) == 2 * ms);
    REQUIRE(diagnosis.parts[0].root.size() == 1);
    CHECK(diagnosis.parts[0].root[0].reason == Reason::Preempted);
    CHECK(diagnosis.parts[0].root[0].by_name.view() == "hog");
}

TEST_CASE("diagnosis_when_it_waits_for_a_chain_of_fences_then_the_root_is_found")
{
    DiagnoseStory story;
    story.job(
        {.pid = 300, .ring = "c", .queued = 1 * ms, .submitted = 1 * ms, .completed = 5 * ms});
    story.job(
        {.pid = 200, .ring = "b", .queued = 1 * ms, .submitted = 5 * ms, .completed = 8 * ms});
    story.job({.queued = 2 * ms, .submitted = 8 * ms, .completed = 9 * ms});
    story.depend(200, 1, 300, 1, 1 * ms, 5 * ms);
    story.depend(100, 1, 200, 1, 2 * ms, 8 * ms);
    const auto diagnosis = story.of(100, 1);
    CHECK(story.time(diagnosis, Reason::Dependency) == 6 * ms);
    std::map<std::int64_t, std::int64_t> roots;
    diagnose::visit_leaves(diagnosis.parts[0], [&](const diagnose::Part& leaf, Duration length) {
        CHECK(leaf.reason == Reason::Execution);
        roots[leaf.actor.pid->value()] += length.value();
    });
    CHECK(roots == std::map<std::int64_t, std::int64_t>{{300, 3 * ms}, {200, 3 * ms}});
}

TEST_CASE("diagnosis_when_the_job_of_a_fence_is_long_gone_then_nothing_waits_for_it")
{
    DiagnoseStory story;
    story.job(
        {.pid = 200, .ring = "b", .queued = 1 * ms, .submitted = 1 * ms, .completed = 2 * ms});
    for (std::int64_t at = 2000 * ms; at < 2200 * ms; at += ms) { // enough that rows are forgotten
        story.job({.pid = 300, .ring = "c", .queued = at, .submitted = at, .completed = at + 1000});
    }
    story.job({.queued = 4000 * ms, .submitted = 4010 * ms, .completed = 4011 * ms});
    story.depend(100, 1, 200, 1, 4000 * ms, 4010 * ms); // the worker comes late
    const auto diagnosis = story.of(100, 1);
    CHECK(story.time(diagnosis, Reason::Dependency) == 0);
    CHECK(story.time(diagnosis, Reason::WorkerLate) == 10 * ms);
}

TEST_CASE("diagnosis_when_jobs_wait_for_each_other_then_it_ends")
{
    DiagnoseStory story;
    story.job({.queued = 1 * ms, .submitted = 5 * ms, .completed = 6 * ms});
    story.job(
        {.pid = 200, .ring = "b", .queued = 1 * ms, .submitted = 5 * ms, .completed = 6 * ms});
    story.depend(100, 1, 200, 1, 1 * ms, 5 * ms);
    story.depend(200, 1, 100, 1, 1 * ms, 5 * ms);
    CHECK(story.time(story.of(100, 1), Reason::Dependency) == 4 * ms);
}

TEST_CASE("diagnosis_when_job_before_it_in_its_context_depends_then_it_has_that_reason")
{
    DiagnoseStory story;
    story.job(
        {.pid = 200, .ring = "b", .queued = 1 * ms, .submitted = 1 * ms, .completed = 5 * ms});
    story.job({.queued = 2 * ms, .submitted = 5 * ms, .completed = 6 * ms});
    story.job({.queued = 3 * ms, .submitted = 5 * ms, .started = 6 * ms, .completed = 7 * ms});
    story.depend(100, 1, 200, 1, 2 * ms, 5 * ms);
    CHECK(story.time(story.of(100, 2), Reason::Dependency) == 2 * ms);
}

TEST_CASE("diagnosis_when_execution_is_several_times_the_usual_then_long")
{
    DiagnoseStory story;
    for (std::int64_t at = 1; at <= 10; ++at) {
        story.job({.queued = at * ms, .submitted = at * ms, .completed = at * ms + 200'000});
    }
    story.job({.queued = 20 * ms, .submitted = 20 * ms, .completed = 25 * ms});
    CHECK(story.time(story.of(100, 11), Reason::LongExecution) == 5 * ms);
    CHECK(story.time(story.of(100, 10), Reason::Execution) == 200'000);
}

TEST_CASE("diagnosis_when_driver_tells_of_a_timeout_then_hang")
{
    DiagnoseStory story;
    story.job({.queued = 1 * ms,
               .submitted = 1 * ms,
               .completed = 9 * ms,
               .fault = model::Fault::TimedOut});
    CHECK(story.time(story.only(), Reason::Hang) == 8 * ms);
}

TEST_CASE("diagnosis_when_job_has_not_ended_with_the_trace_then_those_behind_wait_for_it")
{
    DiagnoseStory story;
    story.job({.pid = 200, .queued = 1 * ms, .submitted = 1 * ms, .is_alive = true});
    story.job({.queued = 2 * ms, .submitted = 2 * ms, .is_alive = true});
    story.end(5000 * ms);
    const auto hung = story.of(200, 1);
    CHECK(hung.is_open);
    CHECK(story.time(hung, Reason::Hang) == 4999 * ms);
    CHECK(story.time(story.of(100, 1), Reason::RingShared) == 4998 * ms);
}

TEST_CASE("bubble_when_thread_is_preempted_then_by_whom")
{
    DiagnoseStory story;
    story.run(100, 0, 8 * ms, 3 * ms);
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 2 * ms});
    story.job({.queued = 9 * ms, .submitted = 9 * ms, .completed = 10 * ms});
    const auto diagnosis = story.of(100, 2);
    CHECK(story.time(diagnosis, Reason::Preempted) == 5 * ms);
    CHECK(story.time(diagnosis, Reason::CpuBound) == 2 * ms);
    CHECK(diagnosis.latency() == Duration{1 * ms});
    CHECK(diagnosis.parts[1].by_name.view() == "hog");
}

TEST_CASE("bubble_when_several_run_instead_of_the_thread_then_each_for_as_long_as_it_did")
{
    DiagnoseStory story;
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 2 * ms});
    story.job({.queued = 20 * ms, .submitted = 20 * ms, .completed = 21 * ms});
    story.runs(1, 0, 100, "app");
    story.runs(3 * ms, 100, 900, "hog"); // it sleeps
    story.wake(4 * ms, 100);
    story.runs(14 * ms, 900, 17, "ksoftirqd/1");
    story.runs(15 * ms, 17, 0, "swapper");
    story.runs(16 * ms, 0, 100, "app");
    const auto diagnosis = story.of(100, 2);
    const auto time_by = [&](std::string_view name) {
        std::int64_t sum = 0;
        for (const auto& part : diagnosis.parts) {
            sum += part.reason == Reason::Preempted && part.by_name.view() == name
                       ? part.length.value()
                       : 0;
        }
        return sum;
    };
    CHECK(time_by("hog") == 10 * ms);
    CHECK(time_by("ksoftirqd/1") == 1 * ms);
    CHECK(story.time(diagnosis, Reason::Unexplained) == 1 * ms); // nobody ran there
}

TEST_CASE("bubble_when_thread_sleeps_then_blocked")
{
    DiagnoseStory story;
    story.sleep(100, 3 * ms, 8 * ms);
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 2 * ms});
    story.job({.queued = 9 * ms, .submitted = 9 * ms, .completed = 10 * ms});
    const auto diagnosis = story.of(100, 2);
    CHECK(story.time(diagnosis, Reason::Blocked) == 5 * ms);
    CHECK(story.time(diagnosis, Reason::Unexplained) == 1000); // woken, its CPU idle, not running
    CHECK(story.time(diagnosis, Reason::CpuBound) == 2 * ms - 1000);
}

TEST_CASE("bubble_when_own_work_was_waited_for_then_as_much_as_could_have_been_prepared_meanwhile")
{
    DiagnoseStory story;
    story.sleep(100, 1 * ms + 1, 4 * ms);
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 4 * ms});
    story.wait(100, 1, 1 * ms + 1, 4 * ms + 1000, 4 * ms);
    story.job({.queued = 9 * ms, .submitted = 9 * ms, .completed = 10 * ms});
    const auto diagnosis = story.of(100, 2);
    CHECK(story.time(diagnosis, Reason::OwnWait) == 3 * ms + 999);
    CHECK(story.time(diagnosis, Reason::CpuBound) == 2 * ms - 1999);
    CHECK(story.time(diagnosis, Reason::Unexplained) == 1000);
}

TEST_CASE("bubble_when_thread_slept_until_its_job_ended_then_it_is_taken_to_have_waited_for_it")
{
    DiagnoseStory story; // a syncobj's wait has no event
    story.sleep(100, 1 * ms + 1, 4 * ms + 5000);
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 4 * ms});
    story.job({.queued = 9 * ms, .submitted = 9 * ms, .completed = 10 * ms});
    const auto diagnosis = story.of(100, 2);
    CHECK(story.time(diagnosis, Reason::OwnWait) == 3 * ms + 4999);
    CHECK(story.time(diagnosis, Reason::CpuBound) == 2 * ms - 10'999);
    for (const auto& part : diagnosis.parts) {
        CHECK(part.is_inferred ==
              (part.reason == Reason::OwnWait || part.reason == Reason::Execution));
    }
}

TEST_CASE("bubble_when_thread_was_woken_later_then_it_did_not_wait_for_its_job")
{
    DiagnoseStory story;
    story.sleep(100, 1 * ms + 1, 5 * ms);
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 4 * ms});
    story.job({.queued = 9 * ms, .submitted = 9 * ms, .completed = 10 * ms});
    const auto diagnosis = story.of(100, 2);
    CHECK(story.time(diagnosis, Reason::OwnWait) == 0);
    CHECK(story.time(diagnosis, Reason::Blocked) == 1 * ms);
}

TEST_CASE(
    "diagnosis_when_worker_looks_late_at_a_fence_then_it_was_waited_for_until_that_was_signaled")
{
    DiagnoseStory story;
    story.job(
        {.pid = 200, .ring = "b", .queued = 1 * ms, .submitted = 1 * ms, .completed = 4 * ms});
    story.job({.queued = 2 * ms, .submitted = 7 * ms, .completed = 8 * ms});
    story.depend(100, 1, 200, 1, 7 * ms, 7 * ms);
    const auto diagnosis = story.of(100, 1);
    CHECK(story.time(diagnosis, Reason::Dependency) == 2 * ms);
    CHECK(story.time(diagnosis, Reason::WorkerLate) == 3 * ms);
}

TEST_CASE("bubble_when_another_process_fence_was_waited_for_then_dependency")
{
    DiagnoseStory story;
    story.sleep(100, 2 * ms, 6 * ms);
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 2 * ms});
    story.job(
        {.pid = 200, .ring = "b", .queued = 1 * ms, .submitted = 1 * ms, .completed = 6 * ms});
    story.wait(100, 200, 2 * ms, 6 * ms + 1000, 6 * ms, 1);
    story.job({.queued = 6 * ms + 2000, .submitted = 6 * ms + 2000, .completed = 7 * ms});
    const auto diagnosis = story.of(100, 2);
    CHECK(story.time(diagnosis, Reason::Dependency) == 4 * ms);
    CHECK(diagnosis.parts[0].is_before);
    CHECK(diagnosis.parts[0].root.at(0).reason == Reason::Execution);
}

TEST_CASE("bubble_when_no_sched_events_then_unknown")
{
    DiagnoseStory story;
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 2 * ms});
    story.job({.queued = 9 * ms, .submitted = 9 * ms, .completed = 10 * ms});
    const auto diagnosis = story.of(100, 2);
    REQUIRE(diagnosis.parts.size() == 2);
    CHECK(diagnosis.parts[0].reason == Reason::Unknown);
    CHECK(diagnosis.parts[0].gap == Gap::NoSchedEvents);
}

TEST_CASE("bubble_when_own_jobs_are_in_flight_then_none")
{
    DiagnoseStory story;
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 5 * ms});
    story.job({.queued = 4 * ms, .submitted = 4 * ms, .started = 5 * ms, .completed = 6 * ms});
    for (const auto& part : story.of(100, 2).parts) {
        CHECK_FALSE(part.is_before);
    }
}

TEST_CASE("diagnosis_when_events_are_lost_then_what_rests_on_their_absence_is_unknown")
{
    DiagnoseStory story;
    story.lose(3 * ms, 4 * ms);
    story.job({.queued = 2 * ms, .submitted = 6 * ms, .completed = 7 * ms});
    const auto diagnosis = story.only();
    CHECK(story.time(diagnosis, Reason::WorkerLate) == 3 * ms);
    CHECK(story.time(diagnosis, Reason::Unknown) == 1 * ms);
    CHECK(diagnosis.parts[1].gap == Gap::EventsLost);
}

TEST_CASE("root_when_its_part_is_split_by_a_loss_then_it_is_split_too")
{
    DiagnoseStory story;
    story.lose(3 * ms, 6 * ms);
    story.run(50, 3, 6 * ms, 1 * ms);
    story.job({.queued = 2 * ms, .submitted = 6 * ms, .completed = 7 * ms, .submitter = 50});
    const auto diagnosis = story.only();
    REQUIRE(diagnosis.parts.at(0).root.size() == 1);
    CHECK(diagnosis.parts[0].length == Duration{1 * ms});
    CHECK(diagnosis.parts[0].root[0].length == Duration{1 * ms});
}

TEST_CASE("diagnosis_when_submission_was_not_seen_then_times_are_missing")
{
    DiagnoseStory story;
    story.job({.queued = 2 * ms, .completed = 7 * ms});
    const auto diagnosis = story.only();
    REQUIRE(diagnosis.parts.size() == 1);
    CHECK(diagnosis.parts[0].reason == Reason::Unknown);
    CHECK(diagnosis.parts[0].gap == Gap::TimesMissing);
    CHECK(diagnosis.parts[0].length == Duration{5 * ms});
}

TEST_CASE("diagnosis_when_start_is_unknown_then_device_time_is_unknown")
{
    DiagnoseStory story;
    story.job(
        {.queued = 2 * ms, .submitted = 2 * ms, .completed = 7 * ms, .is_start_known = false});
    CHECK(story.only().parts.at(0).gap == Gap::StartUnknown);
}

TEST_CASE("diagnosis_when_clock_error_is_greater_then_what_compares_clocks_is_unknown")
{
    DiagnoseStory story;
    story.job({.pid = 200, .queued = 1 * ms, .submitted = 1 * ms, .completed = 5 * ms});
    story.job({.queued = 4 * ms,
               .submitted = 4 * ms,
               .started = 5 * ms,
               .completed = 6 * ms,
               .clock_error = 2 * ms});
    CHECK(story.of(100, 1).parts.at(0).gap == Gap::ClockError);
}

TEST_CASE("diagnosis_when_device_idles_and_job_does_not_start_then_unexplained")
{
    DiagnoseStory story;
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .started = 4 * ms, .completed = 5 * ms});
    CHECK(story.time(story.only(), Reason::Unexplained) == 3 * ms);
}

TEST_CASE("virtio_gpu_when_thread_is_preempted_in_the_call_then_that_is_the_reason")
{
    DiagnoseStory story;
    story.driver("virtio_gpu");
    story.run(100, 0, 4 * ms, 1 * ms + 1000);
    story.job({.queued = 1 * ms, .submitted = 5 * ms, .completed = 6 * ms});
    const auto diagnosis = story.only();
    CHECK(story.time(diagnosis, Reason::Preempted) == 3 * ms - 1000);
    CHECK(story.time(diagnosis, Reason::CpuBound) == 1 * ms + 1000);
}

} // namespace
} // namespace lttng_gpu::test
