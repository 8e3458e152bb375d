// SPDX-License-Identifier: MIT
//
// Events that must have existed though they are not in the trace: what later events of a fence
// context and of an entity prove.
#include "job_story.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

TEST_CASE("job_when_a_later_one_of_its_context_completes_then_has_ended_then_or_before")
{
    JobStory story;
    story.queue(1, 1, 1).submit(2, 1, 1);
    story.queue(3, 1, 2).submit(4, 1, 2).complete(9, 1, 2).until(20);
    REQUIRE(story.so_far().size() == 2); // decided, without any announced loss
    const model::Job& job = story.so_far()[0];
    CHECK(ns(job.completed) == unknown);
    CHECK(ns(job.completed_by) == 9);
    CHECK(job.ending == model::Ending::Lost);
    CHECK(story.count(Anomaly::CompletionEventMissing) == 1);
}

TEST_CASE("job_when_a_later_one_of_its_entity_is_run_then_was_run_then_or_before")
{
    JobStory story;
    story.note_runs();
    story.queue(1, 1, 1).queue(3, 1, 2).submit(4, 1, 2).complete(9, 1, 1).complete(12, 1, 2);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].submitted) == unknown);
    CHECK(ns(jobs[0].submitted_by) == 4);
    CHECK(ns(jobs[0].completed) == 9);
    CHECK(story.count(Anomaly::SubmitEventMissing) == 1);
}

TEST_CASE("job_when_its_context_has_queue_events_then_lacks_its_own")
{
    JobStory story;
    story.queue(1, 1, 1).submit(2, 1, 1).complete(3, 1, 1);
    story.submit(5, 1, 2).complete(6, 1, 2);
    story.jobs();
    CHECK(story.count(Anomaly::QueueEventMissing) == 1);
}

TEST_CASE("job_when_it_was_queued_before_the_trace_began_then_nothing_is_missing")
{
    JobStory story;
    story.submit(1, 1, 1).complete(2, 1, 2).complete(3, 2, 8); // in flight at the begin
    story.queue(5, 1, 3).submit(6, 1, 3).complete(9, 1, 3);
    story.jobs();
    CHECK(story.count(Anomaly::QueueEventMissing) == 0);
    CHECK(story.count(Anomaly::SubmitEventMissing) == 0);
}

TEST_CASE("context_when_a_number_is_skipped_then_a_job_is_missing")
{
    JobStory story;
    story.queue(1, 1, 1).submit(2, 1, 1).complete(3, 1, 1);
    story.queue(4, 1, 4).submit(5, 1, 4).complete(6, 1, 4);
    story.jobs();
    CHECK(story.count(Anomaly::JobMissing) == 2);
}

TEST_CASE("context_when_its_numbers_wrap_then_nothing_is_missing")
{
    JobStory story;
    story.queue(1, 1, 0xffffffff).submit(2, 1, 0xffffffff).complete(3, 1, 0xffffffff);
    story.queue(4, 1, 0).submit(5, 1, 0).complete(6, 1, 0);
    story.jobs();
    CHECK(story.count(Anomaly::JobMissing) == 0);
}

TEST_CASE("gap_when_it_was_announced_then_what_it_explains_is_not_counted_again")
{
    JobStory story;
    story.queue(1, 1, 1).submit(2, 1, 1).complete(3, 1, 1).lose(4, 10);
    story.queue(11, 1, 4).submit(12, 1, 4).complete(13, 1, 4);
    story.jobs();
    CHECK(story.count(Anomaly::JobMissing) == 0);
}

TEST_CASE("ring_when_a_job_hangs_then_starts_come_back_with_the_evidence")
{
    JobStory story;
    story.queue(1, 9, 1).submit(2, 9, 1); // never completes
    story.queue(3, 1, 1).submit(4, 1, 1).complete(1000, 1, 1);
    std::int64_t time = 11'000'000'000; // no driver waits for a job longer
    story.queue(time, 1, 2).submit(time + 1, 1, 2).complete(time + 2, 1, 2);
    const auto& jobs = story.jobs();
    CHECK(ns(jobs[1].started) == unknown);
    CHECK(ns(jobs[2].started) == time + 1);
    CHECK(story.violations() == 0);
}
