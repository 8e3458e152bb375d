// SPDX-License-Identifier: MIT
//
// The job tracker: what becomes of jobs when events are normal, missing, double
// or in an unexpected order. Each story is one ring's life in a few lines.
#include "job_story.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using model::JobStatus;

TEST_CASE("job_when_all_events_seen_then_complete_with_inferred_start")
{
    JobStory story;
    story.by(7).queue(10, 1, 1).submit(20, 1, 1).complete(30, 1, 1);
    story.queue(11, 1, 2).submit(21, 1, 2).complete(45, 1, 2);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(status_of(jobs[0]) == JobStatus::Complete);
    CHECK(ns(jobs[0].started) == 20);
    CHECK(jobs[0].started_basis == model::Basis::Inferred);
    CHECK(jobs[0].actor.pid == Pid{7});
    CHECK(ns(jobs[1].started) == 30); // the hardware was busy until then
    CHECK(ns(jobs[1].completed) == 45);
}

TEST_CASE("jobs_when_completed_out_of_order_across_contexts_then_each_keeps_its_times")
{
    JobStory story;
    story.on_ring("a", "gfx").queue(1, 1, 5).submit(2, 1, 5);
    story.on_ring("a", "compute").queue(3, 2, 9).submit(4, 2, 9);
    story.complete(10, 2, 9).complete(20, 1, 5);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(jobs[0].fence.context == FenceContext{1});
    CHECK(ns(jobs[0].completed) == 20);
    CHECK(ns(jobs[0].started) == 2);
    CHECK(jobs[1].fence.context == FenceContext{2});
    CHECK(ns(jobs[1].completed) == 10);
    CHECK(ns(jobs[1].started) == 4);
    CHECK(story.violations() == 0);
}

TEST_CASE("ring_when_later_job_completes_first_then_starts_are_unknown")
{
    JobStory story;
    story.queue(1, 1, 1).submit(2, 1, 1).complete(3, 1, 1); // before: still FIFO
    story.queue(4, 1, 2).submit(5, 1, 2).queue(6, 2, 1).submit(7, 2, 1);
    story.complete(10, 2, 1).complete(20, 1, 2);
    story.queue(30, 1, 3).submit(31, 1, 3).complete(32, 1, 3);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 4);
    CHECK(ns(jobs[0].started) == 2);
    CHECK(ns(jobs[1].started) == unknown);
    CHECK(ns(jobs[2].started) == unknown);
    CHECK(ns(jobs[3].started) == unknown);
    CHECK(jobs[3].started_basis == model::Basis::Unknown);
    CHECK(story.violations() == 1);
}

TEST_CASE("ring_when_driver_is_parallel_then_order_is_neither_used_nor_violated")
{
    JobStory story{"msm"};
    story.queue(1, 1, 1).submit(2, 1, 1).queue(3, 2, 1).submit(4, 2, 1);
    story.complete(5, 2, 1).complete(6, 1, 1);
    CHECK(ns(story.jobs()[0].started) == unknown);
    CHECK(ns(story.jobs()[1].started) == unknown);
    CHECK(story.violations() == 0);
}

TEST_CASE("rings_when_two_devices_share_name_then_stay_separate")
{
    JobStory story;
    story.on_ring("a", "gfx").queue(1, 1, 1).submit(2, 1, 1);
    const RingId first = story.ring();
    story.on_ring("b", "gfx").queue(3, 2, 1).submit(4, 2, 1).complete(5, 2, 1);
    CHECK(first != story.ring());
    story.complete(9, 1, 1);
    const auto& jobs = story.jobs();
    CHECK(jobs[0].ring == first);
    CHECK(ns(jobs[0].started) == 2);
    CHECK(ns(jobs[1].started) == 4);
    CHECK(story.violations() == 0);
}

TEST_CASE("job_when_earlier_completion_was_lost_then_start_is_unknown_but_ring_stays_fifo")
{
    JobStory story;
    story.queue(1, 1, 1).submit(2, 1, 1).queue(3, 2, 1).submit(4, 2, 1);
    story.lose(5, 6).complete(10, 2, 1);
    story.queue(11, 2, 2).submit(12, 2, 2).complete(15, 2, 2);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(status_of(jobs[0]) == JobStatus::NoComplete);
    CHECK_FALSE(jobs[0].is_alive_at_end);
    CHECK(ns(jobs[1].started) == unknown);
    CHECK(ns(jobs[2].started) == 12);
    CHECK(story.violations() == 0);
}

TEST_CASE("job_when_events_were_lost_before_it_was_submitted_then_start_is_inferred")
{
    JobStory story;
    story.lose(1, 2).queue(3, 1, 1).submit(4, 1, 1).complete(5, 1, 1);
    CHECK(ns(story.jobs()[0].started) == 4);
}

TEST_CASE("job_when_events_were_lost_while_it_was_on_the_device_then_start_is_unknown")
{
    JobStory story;
    story.queue(3, 1, 1).submit(4, 1, 1).lose(5, 6).complete(8, 1, 1);
    CHECK(ns(story.jobs()[0].started) == unknown);
}

TEST_CASE("job_when_later_seqno_of_timeline_completes_after_loss_then_is_given_up")
{
    JobStory story;
    story.queue(1, 1, 1).submit(2, 1, 1).lose(3, 4);
    story.queue(5, 1, 2).submit(6, 1, 2).complete(9, 1, 2);
    story.queue(20, 1, 3);
    CHECK(story.so_far().size() == 2); // both decided, though one never completed
    CHECK(story.count(Anomaly::CompletionNeverSeen) == 1);
}

TEST_CASE("job_when_passed_after_loss_completes_late_then_is_a_violation")
{
    JobStory story;
    story.queue(1, 1, 1).submit(2, 1, 1).queue(3, 2, 1).submit(4, 2, 1);
    story.lose(5, 6).complete(10, 2, 1).complete(12, 1, 1);
    CHECK(ns(story.jobs()[0].completed) == 12);
    CHECK(ns(story.jobs()[0].started) == unknown);
    CHECK(story.violations() == 1);
}

TEST_CASE("job_when_events_repeat_then_first_times_stay_and_are_counted")
{
    JobStory story;
    story.queue(1, 1, 1).queue(2, 1, 1).submit(3, 1, 1).submit(4, 1, 1);
    story.complete(5, 1, 1).complete(6, 1, 1).submit(7, 1, 1).queue(8, 1, 1);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 1);
    CHECK(ns(jobs[0].submitted) == 3);
    CHECK(ns(jobs[0].completed) == 5);
    CHECK(story.count(Anomaly::DuplicateQueue) == 2);
    CHECK(story.count(Anomaly::DuplicateSubmit) == 2);
    CHECK(story.count(Anomaly::DuplicateComplete) == 1);
}

TEST_CASE("job_when_alive_at_end_then_is_incomplete_and_alive_only_where_completions_are_recorded")
{
    JobStory story;
    story.on_ring("a", "gfx").queue(1, 1, 1).submit(2, 1, 1).complete(3, 1, 1);
    story.queue(4, 1, 2).submit(5, 1, 2).queue(6, 1, 3);
    story.on_ring("a", "dma").queue(7, 2, 1).submit(8, 2, 1);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 4);
    CHECK(status_of(jobs[1]) == JobStatus::NoComplete);
    CHECK(jobs[1].is_alive_at_end);
    CHECK(status_of(jobs[2]) == JobStatus::NoSubmit);
    CHECK(jobs[2].is_alive_at_end);
    CHECK(jobs[3].is_alive_at_end); // its ring completed nothing, but others of the driver did

    JobStory none;
    none.on_ring("a", "gfx").queue(1, 1, 1).submit(2, 1, 1);
    CHECK_FALSE(none.jobs().at(0).is_alive_at_end); // perhaps no end is recorded
}

TEST_CASE("job_when_only_completion_seen_then_is_a_row_and_blocks_false_starts")
{
    JobStory story;
    story.queue(1, 1, 8).submit(2, 1, 8);
    story.complete(5, 9, 3); // submitted before the trace, perhaps on this ring
    story.complete(8, 1, 8);
    story.queue(9, 1, 9).submit(10, 1, 9).complete(12, 1, 9);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(ns(jobs[0].started) == unknown);
    CHECK(status_of(jobs[1]) == JobStatus::NoQueue);
    CHECK_FALSE(jobs[1].ring);
    CHECK(ns(jobs[1].completed) == 5);
    CHECK(ns(jobs[2].started) == 10);
    CHECK(story.count(Anomaly::CompleteOfUnknownJob) == 1);
}

TEST_CASE("job_when_unseen_job_of_known_ring_completes_then_start_is_after_it")
{
    JobStory story;
    story.queue(1, 1, 8).submit(2, 1, 8);
    story.tell(5, model::JobCompleted{JobStory::key(9, 3), JobStory::fence(9, 3), story.ring()});
    story.complete(8, 1, 8);
    CHECK(ns(story.jobs()[0].started) == 5);
}

TEST_CASE("job_when_submit_without_queue_then_row_lacks_queued")
{
    JobStory story;
    story.submit(2, 1, 1).complete(3, 1, 1);
    CHECK(status_of(story.jobs()[0]) == JobStatus::NoQueue);
    CHECK(ns(story.jobs()[0].queued) == unknown);
    CHECK(ns(story.jobs()[0].started) == 2);
    CHECK(story.count(Anomaly::SubmitOfUnknownJob) == 1);
}

TEST_CASE("job_when_killed_in_its_queue_then_fence_completes_it_and_ring_is_untouched")
{
    JobStory story;
    story.queue(1, 1, 1).submit(2, 1, 1).queue(3, 2, 1);
    story.signal(4, 2, 1).complete(9, 1, 1).signal(10, 1, 1);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].started) == 2); // the killed job never reached the hardware
    CHECK(ns(jobs[0].completed) == 9);
    CHECK(status_of(jobs[1]) == JobStatus::NoSubmit);
    CHECK(ns(jobs[1].completed) == 4);
    CHECK(story.count(Anomaly::DuplicateComplete) == 0);
}

TEST_CASE("fence_when_not_of_a_job_then_has_no_row")
{
    JobStory story;
    story.signal(4, 2, 1);
    CHECK(story.jobs().empty());
}

TEST_CASE("fence_when_cut_to_32_bits_then_finds_the_job_by_low_halves")
{
    constexpr std::uint64_t high = 0x5'0000'0000;
    JobStory story;
    story.queue(1, high + 2, high + 7).queue(2, 3, 7).signal(4, 2, 7, true).signal(5, 2, 8, true);
    const auto& jobs = story.jobs();
    CHECK(ns(jobs[0].completed) == 4);
    CHECK(ns(jobs[1].completed) == unknown);
}

TEST_CASE("seqno_when_beyond_32_bits_then_low_halves_are_not_confused")
{
    constexpr std::uint64_t high = 0x1'0000'0000;
    JobStory story;
    story.queue(1, 1, 4).submit(2, 1, 4).queue(3, 1, high + 4).submit(4, 1, high + 4);
    story.complete(5, 1, 4).complete(6, 1, high + 4);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].completed) == 5);
    CHECK(jobs[1].fence.seqno == FenceSeqno{high + 4});
    CHECK(ns(jobs[1].started) == 5);
}

TEST_CASE("jobs_when_all_times_are_equal_then_arrival_decides_and_nothing_is_odd")
{
    JobStory story;
    story.queue(5, 1, 1).submit(5, 1, 1).queue(5, 1, 2).submit(5, 1, 2);
    story.complete(5, 1, 1).complete(5, 1, 2);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(jobs[0].fence.seqno == FenceSeqno{1});
    CHECK(ns(jobs[1].started) == 5);
    CHECK(story.violations() == 0);
}

TEST_CASE("jobs_when_an_early_one_stays_open_then_rows_wait_for_their_order")
{
    JobStory story;
    story.queue(1, 1, 1).queue(2, 2, 1).submit(3, 2, 1).complete(4, 2, 1).queue(9, 3, 1);
    CHECK(story.so_far().empty());
    story.submit(10, 1, 1).complete(11, 1, 1).until(12);
    CHECK(story.so_far().size() == 2);
    CHECK(story.jobs()[0].fence.context == FenceContext{1});
}

TEST_CASE("job_when_queue_event_comes_after_submit_then_time_is_not_used")
{
    JobStory story;
    story.submit(2, 1, 1).by(7).queue(3, 1, 1).complete(4, 1, 1);
    CHECK(ns(story.jobs()[0].queued) == unknown);
    CHECK(story.jobs()[0].actor.pid == Pid{7});
    CHECK(story.count(Anomaly::QueueAfterSubmit) == 1);
}

TEST_CASE("job_when_known_by_pointer_only_then_reuse_ends_the_old_one")
{
    const model::JobKey pointer{TraceId{}, model::KeySpace::Pointer, false, 0xffff888012345678, 0};
    JobStory story;
    const RingId ring = story.ring();
    story.tell(1, model::JobQueued{pointer, {}, ring, {}})
        .tell(2, model::JobSubmitted{pointer, {}, ring});
    story.tell(3, model::JobCompleted{pointer, {}, {}})
        .tell(4, model::JobQueued{pointer, {}, ring, {}});
    story.tell(5, model::JobQueued{pointer, {}, ring, {}});
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(status_of(jobs[0]) == JobStatus::Complete);
    CHECK(ns(jobs[1].queued) == 4);
    CHECK(ns(jobs[2].queued) == 5);
    CHECK(story.count(Anomaly::FencePointerReused) == 1);
    CHECK(story.count(Anomaly::DuplicateQueue) == 0);
}

TEST_CASE("job_when_submit_of_the_same_time_is_read_first_then_keeps_its_queue_time")
{
    JobStory story;
    story.submit(10, 1, 1).by(7).queue(10, 1, 1).complete(20, 1, 1);
    const auto& jobs = story.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(status_of(jobs[0]) == JobStatus::Complete);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(jobs[0].actor.pid == Pid{7});
    CHECK(story.count(Anomaly::QueueAfterSubmit) == 0);
}
