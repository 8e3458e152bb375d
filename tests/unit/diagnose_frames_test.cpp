// SPDX-License-Identifier: MIT
//
// What the time of a frame was spent with, from the states of its thread and its jobs.
#include "diagnose/diagnosis_writer.hpp"
#include "diagnose_story.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using diagnose::PlaceInFrame;
using diagnose::Reason;

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t us = 1000;

std::int64_t time_of(const diagnose::FrameDiagnosis& frame, Reason reason, PlaceInFrame place)
{
    std::int64_t sum = 0;
    for (const auto& part : frame.parts) {
        sum += part.reason == reason && part.place == place ? part.length.value() : 0;
    }
    return sum;
}

} // namespace

TEST_CASE("frame_diagnosis_when_thread_is_preempted_and_waits_then_each_moment_has_its_reason")
{
    DiagnoseStory story;
    story.job({.queued = 17 * ms, .submitted = 17 * ms + 50 * us, .completed = 28 * ms});
    story.frame(100, 10 * ms, 16 * ms, 30 * ms);
    story.run(100, 0, 14 * ms, 12 * ms);
    story.sleep(100, 18 * ms, 28 * ms + 20 * us);
    const auto frame = story.only_frame();
    CHECK(frame.latency().value() == 20 * ms);
    CHECK(time_of(frame, Reason::CpuBound, PlaceInFrame::Outside) == 4 * ms);
    CHECK(time_of(frame, Reason::Preempted, PlaceInFrame::Outside) == 2 * ms);
    CHECK(time_of(frame, Reason::CpuBound, PlaceInFrame::InCall) == 2 * ms);
    CHECK(time_of(frame, Reason::OwnWait, PlaceInFrame::InCall) == 10 * ms + 20 * us);
    CHECK(time_of(frame, Reason::CpuBound, PlaceInFrame::LastCall) == 2 * ms - 21 * us);
    const auto wait = std::ranges::find(frame.parts, Reason::OwnWait, &diagnose::Part::reason);
    REQUIRE(wait != frame.parts.end());
    CHECK(wait->is_inferred);
    REQUIRE_FALSE(wait->root.empty());
    CHECK(wait->root[0].reason == Reason::Execution);
    CHECK(wait->root[0].length.value() == 10 * ms);
    REQUIRE(frame.jobs.size() == 1);
    CHECK(frame.jobs[0].latency().value() == 11 * ms);
}

TEST_CASE("frame_diagnosis_when_its_job_ends_after_the_call_then_what_the_job_did_is_told")
{
    DiagnoseStory story;
    story.job(
        {.pid = 200, .comm = "other", .queued = 9 * ms, .submitted = 9 * ms, .completed = 40 * ms});
    story.job({.queued = 17 * ms,
               .submitted = 17 * ms + 50 * us,
               .started = 40 * ms,
               .completed = 45 * ms});
    story.frame(100, 10 * ms, 16 * ms, 20 * ms);
    story.run(100, 0, 2, 1);
    const auto frame = story.only_frame();
    CHECK(frame.latency().value() == 35 * ms);
    CHECK(time_of(frame, Reason::RingShared, PlaceInFrame::AfterCall) == 20 * ms);
    CHECK(time_of(frame, Reason::Execution, PlaceInFrame::AfterCall) == 5 * ms);
}

TEST_CASE("frame_diagnosis_when_it_sleeps_after_its_jobs_then_it_waits_for_the_display")
{
    DiagnoseStory story;
    story.job({.queued = 11 * ms, .submitted = 11 * ms, .completed = 13 * ms});
    story.frame(100, 10 * ms, 12 * ms, 30 * ms);
    story.sleep(100, 12 * ms + 500 * us, 29 * ms);
    const auto frame = story.only_frame();
    CHECK(time_of(frame, Reason::Blocked, PlaceInFrame::InCall) == 500 * us);
    CHECK(time_of(frame, Reason::Blocked, PlaceInFrame::LastCall) == 16 * ms);
    CHECK(time_of(frame, Reason::OwnWait, PlaceInFrame::InCall) == 0);
    const auto slept =
        std::ranges::find(frame.parts, PlaceInFrame::LastCall, &diagnose::Part::place);
    REQUIRE(slept != frame.parts.end());
    CHECK(diagnose::sentence(*slept, story.rings()).find("after its jobs") != std::string::npos);
}

TEST_CASE("frame_diagnosis_when_no_sched_events_then_a_call_is_taken_to_wait_for_its_jobs")
{
    DiagnoseStory story;
    story.job({.queued = 17 * ms, .submitted = 17 * ms, .completed = 28 * ms});
    story.frame(100, 10 * ms, 16 * ms, 30 * ms);
    const auto frame = story.only_frame();
    CHECK(time_of(frame, Reason::Unknown, PlaceInFrame::Outside) == 6 * ms);
    CHECK(time_of(frame, Reason::OwnWait, PlaceInFrame::InCall) == 11 * ms);
    CHECK(time_of(frame, Reason::Unknown, PlaceInFrame::LastCall) == 2 * ms);
}

TEST_CASE("frame_name_when_parsed_then_number_surface_or_late")
{
    CHECK(diagnose::parse_frame_name("late")->is_late);
    CHECK(diagnose::parse_frame_name("17")->number == 17);
    CHECK(diagnose::parse_frame_name("0x10:17")->surface == 16U);
    CHECK(diagnose::parse_frame_name("16:17")->surface == 16U);
    for (const char* wrong : {"", ":", "x", "1:", ":1", "1:2:3", "-1"}) {
        CHECK_FALSE(diagnose::parse_frame_name(wrong));
    }
}
