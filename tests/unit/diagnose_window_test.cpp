// SPDX-License-Identifier: MIT
//
// Which jobs have reasons, and which part of their time: what the report counts in its window.
// And what is unusually long among jobs of different length.
#include "diagnose_story.hpp"

namespace lttng_gpu::test {
namespace {

using diagnose::Reason;

constexpr std::int64_t ms = 1'000'000;

std::int64_t time_of(const diagnose::Totals& totals, Reason reason)
{
    std::int64_t time = 0;
    for (const auto& total : totals.reasons()) {
        time += total.reason == reason ? total.time.value() : 0;
    }
    return time;
}

TEST_CASE("summary_when_jobs_reach_out_of_the_window_then_time_is_what_lies_inside")
{
    DiagnoseStory story;
    story.window(10 * ms, 20 * ms);
    story.job({.queued = 4 * ms, .submitted = 5 * ms, .completed = 12 * ms});
    story.job({.queued = 8 * ms, .submitted = 12 * ms, .completed = 15 * ms});
    story.job({.queued = 16 * ms, .submitted = 16 * ms, .completed = 23 * ms});
    story.job({.queued = 19 * ms, .submitted = 23 * ms, .completed = 24 * ms});
    const diagnose::Totals all = story.summary().total();
    CHECK(all.jobs == 2); // those that were submitted in it
    CHECK(all.ended == 2);
    CHECK(all.latency == Duration{14 * ms});
    CHECK(all.mean() == Duration{7 * ms});
    CHECK(all.time == Duration{9 * ms});
    CHECK(time_of(all, Reason::BackPressure) == 2 * ms); // behind the first job
    CHECK(time_of(all, Reason::Execution) == 7 * ms);
}

TEST_CASE("diagnosis_when_it_reaches_out_of_the_window_then_it_is_whole_and_split_at_the_edge")
{
    DiagnoseStory story;
    story.window(10 * ms, 20 * ms);
    story.job({.queued = 16 * ms, .submitted = 16 * ms, .completed = 23 * ms});
    const auto parts = story.only().parts;
    REQUIRE(parts.size() == 2);
    CHECK_FALSE(parts[0].is_outside);
    CHECK(parts[0].length == Duration{4 * ms});
    CHECK(parts[1].is_outside);
    CHECK(parts[1].length == Duration{3 * ms});
}

TEST_CASE("summary_when_what_was_lost_lies_outside_of_the_window_then_nothing_is_unknown")
{
    DiagnoseStory story;
    story.window(10 * ms, 20 * ms);
    story.lose(1, 10 * ms);
    story.job({.queued = 6 * ms, .submitted = 12 * ms, .completed = 13 * ms});
    const diagnose::Totals all = story.summary().total();
    CHECK(time_of(all, Reason::Unknown) == 0);
    CHECK(all.time == Duration{3 * ms});
    CHECK(all.latency == Duration{7 * ms});
}

TEST_CASE("summary_when_times_of_a_job_are_unknown_then_it_is_counted_and_has_no_latency")
{
    DiagnoseStory story;
    story.job({.submitted = 2 * ms, .completed = 900 * ms});
    story.job({.queued = 3 * ms, .completed = 900 * ms});
    story.job({.queued = 4 * ms, .submitted = 4 * ms});
    story.job({.queued = 901 * ms, .submitted = 901 * ms, .completed = 906 * ms});
    const diagnose::Totals all = story.summary().total();
    CHECK(all.jobs == 1);
    CHECK(all.mean() == Duration{5 * ms});
    CHECK(all.time == Duration{5 * ms});
    CHECK(all.left_out.no_queue == 1);
    CHECK(all.left_out.no_submit == 1);
    CHECK(all.left_out.no_complete == 1);
}

TEST_CASE("summary_when_a_job_has_not_ended_then_it_has_reasons_and_no_part_in_the_mean")
{
    DiagnoseStory story;
    story.window(0, 4000 * ms);
    story.job({.queued = 1 * ms, .submitted = 1 * ms, .completed = 3 * ms});
    story.job({.queued = 4 * ms, .submitted = 4 * ms, .is_alive = true});
    story.end(5000 * ms);
    const diagnose::Totals all = story.summary().total();
    CHECK(all.jobs == 2);
    CHECK(all.ended == 1);
    CHECK(all.mean() == Duration{2 * ms});
    CHECK(time_of(all, Reason::Hang) == 3996 * ms);
}

/// Frames of a short and a long job.
void tell_frames(DiagnoseStory& story, std::int64_t count)
{
    for (std::int64_t frame = 1; frame <= count; ++frame) {
        const std::int64_t at = frame * 20 * ms;
        story.job({.queued = at, .submitted = at, .completed = at + ms});
        story.job({.queued = at + 2 * ms, .submitted = at + 2 * ms, .completed = at + 10 * ms});
    }
}

TEST_CASE("execution_when_frames_have_short_and_long_jobs_then_none_is_unusually_long")
{
    DiagnoseStory story;
    tell_frames(story, 300);
    CHECK(time_of(story.summary().total(), Reason::LongExecution) == 0);
}

TEST_CASE("execution_when_a_job_takes_longer_than_its_kind_then_it_is_named")
{
    DiagnoseStory story;
    tell_frames(story, 300);
    story.job({.queued = 9000 * ms, .submitted = 9000 * ms, .completed = 9040 * ms});
    CHECK(time_of(story.summary().total(), Reason::LongExecution) == 40 * ms);
    CHECK(story.time(story.of(100, 601), Reason::LongExecution) == 40 * ms);
}

TEST_CASE("execution_when_fewer_than_eight_of_its_kind_were_before_then_nothing_is_usual")
{
    for (const std::int64_t before : {7, 8}) {
        DiagnoseStory story;
        for (std::int64_t at = 1; at <= before; ++at) {
            story.job({.queued = at * ms, .submitted = at * ms, .completed = at * ms + 200'000});
        }
        story.job({.queued = 20 * ms, .submitted = 20 * ms, .completed = 25 * ms});
        CHECK(time_of(story.summary().total(), Reason::LongExecution) ==
              (before == 8 ? 5 * ms : 0));
    }
}

TEST_CASE("execution_when_one_in_so_many_is_long_then_it_is_usual_or_not")
{
    for (const std::int64_t each : {16, 48}) {
        DiagnoseStory story;
        for (std::int64_t number = 0; number < 960; ++number) {
            const std::int64_t at = (number + 1) * 20 * ms;
            story.job(
                {.queued = at, .submitted = at, .completed = at + (number % each ? ms : 9 * ms)});
        }
        const std::int64_t time = time_of(story.summary().total(), Reason::LongExecution);
        CHECK(time <= (each == 48 ? 19 * 9 * ms : 9 * ms)); // the first is among the first eight
        CHECK(time >= (each == 48 ? 17 * 9 * ms : 0));
    }
}

} // namespace
} // namespace lttng_gpu::test
