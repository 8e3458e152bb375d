// SPDX-License-Identifier: MIT
//
// Captures that lack some events or what joins them: no job has a time of another one's.
#include "read_twice.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using namespace lttng_gpu::model;

namespace {

constexpr std::uint64_t pointer = 0xffff888000000000;

Fields pointer_job(std::uint64_t number, std::uint64_t on_hardware = 1)
{
    return {{"fence", u(pointer + number * 64)},
            {"id", u(number)},
            {"name", "gfx"},
            {"hw_job_count", u(on_hardware)}};
}

Fields amdgpu_job(std::uint64_t number)
{
    return {
        {"context", 9}, {"seqno", u(number)}, {"ring_name", "gfx"}, {"sched_job_id", u(number)}};
}

Fields fence_job(std::uint64_t seqno, std::uint64_t on_hardware = 1)
{
    return {{"name", "gfx"},
            {"fence_context", 9},
            {"fence_seqno", u(seqno)},
            {"hw_job_count", u(on_hardware)}};
}

JobFeeder& queue(JobFeeder& feed, std::int64_t time, std::uint64_t number)
{
    return feed.at(time).in(5, 6, "app")("drm_sched_job", pointer_job(number));
}

JobFeeder& submit(JobFeeder& feed, std::int64_t time, std::uint64_t number, std::uint64_t count)
{
    return feed.at(time).in(2, 2, "worker")("drm_run_job", pointer_job(number, count));
}

JobFeeder& complete(JobFeeder& feed, std::int64_t time, std::uint64_t number)
{
    return feed.at(time).in_nobody()("drm_sched_process_job",
                                     {{"fence", u(pointer + number * 64)}});
}

} // namespace

TEST_CASE("amdgpu_when_no_thread_is_known_then_numbers_join_what_tells_of_one_job")
{
    JobFeeder second;
    read_twice(second, [](JobFeeder& feed) {
        for (std::uint64_t number = 1; number <= 3; ++number) {
            const auto time = static_cast<std::int64_t>(number) * 100;
            feed.at(time).in_nobody()("amdgpu_cs_ioctl", amdgpu_job(number));
            feed.at(time + 10)("drm_sched_job", pointer_job(number));
            feed.at(time + 20)("drm_run_job", pointer_job(number));
            feed.at(time + 21)("amdgpu_sched_run_job", amdgpu_job(number));
            complete(feed, time + 40, number);
        }
    });
    REQUIRE(second.so_far().size() == 3);
    for (std::size_t at = 0; at < 3; ++at) {
        const Job& job = second.so_far()[at];
        const auto time = static_cast<std::int64_t>(at + 1) * 100;
        CHECK(ns(job.queued) == time);
        CHECK(ns(job.submitted) == time + 20);
        CHECK(ns(job.started) == time + 20);
        CHECK(ns(job.completed) == time + 40);
        CHECK(job.fence.seqno->value() == at + 1);
    }
}

TEST_CASE("scheduler_fences_when_a_queue_event_is_missing_then_no_job_has_the_fence_of_another")
{
    JobFeeder second;
    read_twice(second, [](JobFeeder& feed) {
        for (std::uint64_t number = 1; number <= 6; ++number) {
            const auto time = static_cast<std::int64_t>(number) * 10'000;
            feed.at(time - 10).in(5, 6, "app")("dma_fence_init",
                                               fence("drm_sched", "gfx", 8, number));
            feed("dma_fence_init", fence("drm_sched", "gfx", 9, number));
            if (number != 3) {
                queue(feed, time, number);
            }
            submit(feed, time + 1000, number, 1);
            complete(feed, time + 3000, number);
        }
    });
    std::size_t queued = 0;
    for (const Job& job : second.so_far()) {
        if (job.queued) {
            const auto number = static_cast<std::uint64_t>(*ns(job.queued)) / 10'000;
            CHECK(job.fence.seqno.value_or(FenceSeqno{number}) == FenceSeqno{number});
            CAPTURE(number);
            CHECK((job.fence.seqno || number == 4)); // the fence of 3 or that of 4
            ++queued;
        }
    }
    CHECK(queued == 5);
}

TEST_CASE("scheduler_fences_when_one_of_a_pair_is_missing_then_its_job_has_not_the_fence_before")
{
    for (const bool is_scheduled_missing : {true, false}) {
        JobFeeder feed;
        feed.at(10).in(5, 6, "app")("dma_fence_init", fence("drm_sched", "gfx", 8, 1));
        feed("dma_fence_init", fence("drm_sched", "gfx", 9, 1)); // the push of its job is missing
        const std::uint64_t context = is_scheduled_missing ? 19 : 18;
        feed.at(20)("dma_fence_init", fence("drm_sched", "gfx", context, 1));
        complete(submit(queue(feed, 30, 2), 40, 2, 1), 50, 2);
        for (const Job& job : feed.jobs()) {
            CHECK((ns(job.queued) != 30 || !job.fence.seqno));
        }
    }
}

TEST_CASE("rings_when_more_jobs_than_credits_and_events_are_missing_then_starts_are_unknown")
{
    JobFeeder feed;
    feed.at(2).lose(1, 2);
    queue(queue(feed, 3, 1), 4, 2);
    submit(submit(feed, 10, 1, 1), 20, 2, 1); // the first is still there, or it is on another ring
    complete(complete(feed, 30, 1), 40, 2);
    REQUIRE(feed.jobs().size() == 2);
    CHECK(ns(feed.jobs()[1].submitted) == 20);
    CHECK(ns(feed.jobs()[1].started) == unknown);
}

TEST_CASE("rings_without_device_when_a_job_ends_that_was_run_unseen_then_starts_are_unknown")
{
    JobFeeder second; // it knows that the run event is missing, and of no other loss
    read_twice(second, [](JobFeeder& feed) {
        queue(queue(feed, 3, 1), 4, 2);
        submit(feed, 20, 2, 1);
        complete(complete(feed, 30, 1), 40, 2);
    });
    REQUIRE(second.so_far().size() == 2);
    CHECK(ns(second.so_far()[1].submitted) == 20);
    CHECK(ns(second.so_far()[1].started) == unknown);
}

TEST_CASE("scheduler_fences_when_a_push_is_missing_then_the_next_group_has_its_own_fences")
{
    JobFeeder feed;
    const auto arm = [&](std::int64_t time, const char* ring, std::uint64_t context) {
        feed.at(time).in(5, 6, "app")("dma_fence_init", fence("drm_sched", ring, context, 1));
        feed("dma_fence_init", fence("drm_sched", ring, context + 1, 1));
    };
    arm(10, "gfx", 8); // the push of its job is missing
    arm(20, "comp", 18);
    Fields job = pointer_job(1);
    job["name"] = "comp";
    feed.at(21)("drm_sched_job", job);
    arm(30, "gfx", 28);
    queue(feed, 31, 7);
    for (const Job& shown : feed.jobs()) {
        if (ns(shown.queued) == 31) {
            CHECK(shown.fence.context == FenceContext{29});
        }
    }
    CHECK(feed.count(Anomaly::QueueEventMissing) == 1);
}

TEST_CASE("rings_when_the_driver_counts_more_jobs_than_are_known_then_starts_are_unknown")
{
    JobFeeder feed;
    feed.kernel("6.1.0").at(2).lose(1, 2);
    queue(queue(feed, 3, 1), 4, 2);
    submit(feed, 10, 1, 2);
    complete(feed, 20, 1);
    submit(feed, 30, 2, 1);
    complete(feed, 40, 2);
    REQUIRE(feed.jobs().size() == 2);
    CHECK(ns(feed.jobs()[0].started) == unknown);
    CHECK(ns(feed.jobs()[1].started) == 30);
}

TEST_CASE("rings_when_a_job_had_ended_before_its_fence_told_then_a_count_that_agrees_is_no_proof")
{
    for (const bool is_end_missing : {true, false}) {
        JobFeeder feed;
        feed.kernel("6.1.0").in(2, 2, "worker");
        feed.at(1)("drm_sched_job_queue", fence_job(1)).at(2)("drm_sched_job_run", fence_job(1));
        feed.at(3)("drm_sched_job_done", fence_job(1));
        feed.at(4)("drm_sched_job_queue", fence_job(2))("drm_sched_job_queue", fence_job(3));
        feed.at(10)("drm_sched_job_run", fence_job(2));
        feed.lose(18, 22, 1).at(20)("drm_sched_job_run", fence_job(3, 2));
        if (!is_end_missing) {
            feed.at(24)("drm_sched_job_done", fence_job(2));
        }
        feed.at(25)("gpu_fence_signaled", fence("drm_sched", "gfx", 9, 2));
        feed.at(40)("drm_sched_job_done", fence_job(3));
        REQUIRE(feed.jobs().size() == 3);
        CHECK(ns(feed.jobs()[2].started) == (is_end_missing ? unknown : 24));
    }
}
