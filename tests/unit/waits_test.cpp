// SPDX-License-Identifier: MIT
//
// Waits for fences, who observes a completion, what jobs depend on, and the
// bounds of what is remembered.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

Fields job(std::uint64_t context, std::uint64_t seqno)
{
    return {{"name", "gfx"},
            {"dev", "0000:04:00.0"},
            {"fence_context", u(context)},
            {"fence_seqno", u(seqno)}};
}

Fields fence(std::uint64_t context, std::uint64_t seqno)
{
    return {
        {"driver", "drm_sched"}, {"timeline", "gfx"}, {"context", u(context)}, {"seqno", u(seqno)}};
}

Fields depends(std::uint64_t context, std::uint64_t seqno, std::uint64_t on, std::uint64_t other)
{
    return {{"fence_context", u(context)},
            {"fence_seqno", u(seqno)},
            {"ctx", u(on)},
            {"seqno", u(other)}};
}

} // namespace

TEST_CASE("wait_when_it_ends_after_completion_then_job_is_observed")
{
    JobFeeder feed;
    feed.at(1)("drm_sched_job_queue", job(9, 1)).at(2)("drm_sched_job_run", job(9, 1));
    feed.at(5).in(7, 8, "waiter")("gpu_fence_wait_start", fence(9, 1));
    feed.at(10)("drm_sched_job_done", job(9, 1)).at(11)("gpu_fence_signaled", fence(9, 1));
    feed.at(12);
    CHECK(feed.so_far().empty());
    feed.at(15)("gpu_fence_wait_end", fence(9, 1));
    const auto& jobs = feed.jobs();
    CHECK(ns(jobs.at(0).observed) == 15);
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 1);
    CHECK(waits[0].begin == Timestamp{5});
    CHECK(waits[0].end == Timestamp{15});
    CHECK(ns(waits[0].signaled) == 11);
    CHECK(waits[0].ring == jobs[0].ring);
    CHECK(waits[0].actor.pid == Pid{7});
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("wait_when_it_gives_up_or_begins_late_then_nothing_is_observed")
{
    JobFeeder feed;
    feed.at(1)("drm_sched_job_queue", job(9, 1)).at(2)("drm_sched_job_run", job(9, 1));
    feed.at(3).in(7, 8, "waiter")("gpu_fence_wait_start", fence(9, 1));
    feed.at(5)("gpu_fence_wait_end", fence(9, 1)).at(10)("drm_sched_job_done", job(9, 1));
    feed.at(12)("gpu_fence_wait_start", fence(9, 1)).at(13)("gpu_fence_wait_end", fence(9, 1));
    CHECK(ns(feed.jobs().at(0).observed) == unknown);
    CHECK(feed.waits().size() == 2);
}

TEST_CASE("wait_when_its_begin_is_told_again_then_the_last_begin_counts")
{
    JobFeeder feed;
    feed.at(3).in(7, 8, "waiter")("gpu_fence_wait_start", fence(9, 1)); // its end is missing
    feed.at(12)("gpu_fence_wait_start", fence(9, 1)).at(13)("gpu_fence_wait_end", fence(9, 1));
    feed.jobs();
    REQUIRE(feed.waits().size() == 1);
    CHECK(feed.waits()[0].begin == Timestamp{12});
    CHECK(feed.count(Anomaly::WaitUnpaired) == 1);
}

TEST_CASE("wait_when_driver_waits_inside_then_is_one_wait")
{
    JobFeeder feed;
    const Fields rq{{"dev", 0}, {"class", 0}, {"instance", 0}, {"ctx", 30}, {"seqno", 1}};
    feed.at(1).in(7, 8, "waiter")("i915_request_add", rq);
    feed.at(2)("dma_fence_wait_start", fence(30, 1)).at(3)("i915_request_wait_begin", rq);
    feed.at(9)("i915_request_wait_end", rq).at(10)("dma_fence_wait_end", fence(30, 1));
    REQUIRE(feed.waits().size() == 1);
    CHECK(feed.waits()[0].begin == Timestamp{2});
    CHECK(feed.waits()[0].end == Timestamp{10});
}

TEST_CASE("wait_when_it_lacks_a_half_or_spans_a_gap_then_is_counted")
{
    JobFeeder feed;
    feed.in(7, 8, "waiter").at(1)("gpu_fence_wait_end", fence(9, 1));
    feed.at(2)("gpu_fence_wait_start", fence(9, 2)).lose(3, 4);
    feed.at(5)("gpu_fence_wait_end", fence(9, 2)).at(6)("gpu_fence_wait_start", fence(9, 3));
    CHECK(feed.waits().empty());
    CHECK(feed.count(Anomaly::WaitUnpaired) == 2);
    CHECK(feed.open_waits().size() == 1); // the last one has no other half yet
}

TEST_CASE("wait_when_it_lasts_at_the_end_then_is_told_with_thread_and_fence")
{
    JobFeeder feed;
    feed.at(1).in(5, 6, "game")("drm_sched_job_queue", job(9, 1));
    feed.at(2)("drm_sched_job_run", job(9, 1)).in(7, 8, "waiter");
    feed.at(3)("gpu_fence_wait_start", fence(9, 1)).at(100).in(5, 6, "game");
    feed("drm_sched_job_queue", job(9, 2));
    const auto& open = feed.open_waits();
    REQUIRE(open.size() == 1);
    CHECK(open[0].actor.pid == Pid{7});
    CHECK(open[0].comm == "waiter");
    CHECK(open[0].fence.seqno == FenceSeqno{1});
    CHECK(open[0].driver == "drm_sched");
    CHECK(open[0].ring == "gfx");
    CHECK(open[0].begin == Timestamp{3});
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("wait_when_its_fence_is_signaled_or_ends_are_not_recorded_then_it_does_not_last")
{
    JobFeeder signaled;
    signaled.in(7, 8, "waiter").at(1)("gpu_fence_wait_start", fence(9, 1));
    signaled.at(2)("gpu_fence_signaled", fence(9, 1));
    CHECK(signaled.open_waits().empty());

    JobFeeder no_ends;
    no_ends.in(7, 8, "waiter").at(1)("gpu_fence_wait_start", fence(9, 1));
    no_ends.at(2)("gpu_fence_wait_start", fence(9, 2)); // so the first has ended
    CHECK(no_ends.open_waits().empty());

    JobFeeder lost;
    lost.in(7, 8, "waiter").at(1)("gpu_fence_wait_start", fence(9, 1)).lose(2, 3);
    CHECK(lost.open_waits().empty());
}

TEST_CASE("row_when_its_waiter_may_have_awoken_in_a_gap_then_does_not_wait_for_it")
{
    JobFeeder feed;
    feed.at(1)("drm_sched_job_queue", job(9, 1)).at(2)("drm_sched_job_run", job(9, 1));
    feed.at(3).in(7, 8, "waiter")("gpu_fence_wait_start", fence(9, 1));
    feed.at(5)("drm_sched_job_done", job(9, 1)).lose(6, 7).at(8)("drm_sched_job_queue", job(9, 2));
    CHECK(feed.so_far().size() == 1);
    CHECK(ns(feed.jobs()[0].observed) == unknown);
}

TEST_CASE("dependency_when_fence_is_signaled_then_ends_and_names_the_producer")
{
    JobFeeder feed;
    feed.at(1).in(5, 6, "producer")("drm_sched_job_queue", job(9, 1));
    feed.at(2)("drm_sched_job_run", job(9, 1));
    feed.at(3).in(7, 8, "consumer")("drm_sched_job_queue", job(11, 4));
    feed("drm_sched_job_add_dep", depends(11, 4, 9, 1));
    feed.at(4)("drm_sched_job_unschedulable", depends(11, 4, 50, 5));
    feed.at(10)("drm_sched_job_done", job(9, 1)).at(12)("drm_sched_job_run", job(11, 4));
    const auto& edges = feed.dependencies();
    REQUIRE(edges.size() == 2);
    CHECK(edges[0].waits_for.context == FenceContext{9});
    CHECK(edges[0].since == Timestamp{3});
    CHECK(ns(edges[0].until) == 10);
    CHECK_FALSE(edges[0].is_blocking);
    CHECK(edges[0].producer.pid == Pid{5});
    CHECK(edges[0].actor.pid == Pid{7});
    CHECK(edges[0].producer_ring.has_value());
    CHECK(edges[1].is_blocking);
    CHECK(ns(edges[1].until) == 12);
    CHECK_FALSE(edges[1].producer_ring.has_value());
}

TEST_CASE("dependency_when_old_event_has_a_number_only_then_is_found_by_it")
{
    JobFeeder feed;
    const Fields old{{"fence", u(0xffff888000001000)}, {"name", "gfx"}, {"id", 44}};
    feed.at(1)("drm_sched_job", old);
    feed.at(2)("drm_sched_job_wait_dep", {{"name", "gfx"}, {"id", 44}, {"ctx", 9}, {"seqno", 1}});
    feed.at(3)("drm_sched_job_wait_dep", {{"name", "gfx"}, {"id", 45}, {"ctx", 9}, {"seqno", 1}});
    feed.at(8)("drm_run_job", old);
    REQUIRE(feed.dependencies().size() == 1);
    CHECK(ns(feed.dependencies()[0].until) == 8);
    CHECK(feed.count(Anomaly::DependencyOfUnknownJob) == 1);
}

TEST_CASE("dependency_when_never_resolved_then_has_no_end")
{
    JobFeeder feed;
    feed.at(3)("drm_sched_job_queue", job(11, 4));
    feed("drm_sched_job_add_dep", depends(11, 4, 9, 1));
    REQUIRE(feed.dependencies().size() == 1);
    CHECK(ns(feed.dependencies()[0].until) == unknown);
}

TEST_CASE("rows_when_one_job_never_ends_then_the_others_come_out_all_the_same")
{
    JobFeeder feed;
    feed.at(1)("drm_sched_job_queue", job(8, 1));
    std::int64_t time = 2;
    for (std::uint64_t seqno = 1; seqno <= 70'000; ++seqno) {
        feed.at(time++)("drm_sched_job_queue", job(9, seqno));
        feed.at(time++)("drm_sched_job_run", job(9, seqno));
        feed.at(time++)("drm_sched_job_done", job(9, seqno));
    }
    CHECK(feed.so_far().size() > 60'000);
    CHECK(feed.count(Anomaly::RowOutOfOrder) == 1);
    CHECK(feed.jobs().size() == 70'001);
    CHECK(feed.jobs().back().fence.context == FenceContext{8});
}

TEST_CASE("jobs_when_completions_are_not_recorded_then_the_oldest_are_given_up")
{
    JobFeeder feed;
    for (std::uint64_t seqno = 1; seqno <= 70'000; ++seqno) {
        feed.at(static_cast<std::int64_t>(seqno))("drm_sched_job_queue", job(9, seqno));
    }
    CHECK(feed.so_far().size() > 4'000);
    CHECK(feed.count(Anomaly::TooManyOpenJobs) > 4'000);
    CHECK(feed.jobs().size() == 70'000);
}

TEST_CASE("job_when_other_cpus_buffer_begins_late_then_start_is_unknown")
{
    JobFeeder feed;
    feed.lose(0, 8, 1, trace::LossUnit::LateBegin);
    feed.at(1)("drm_sched_job_queue", job(9, 1)).at(2)("drm_sched_job_run", job(9, 1));
    feed.at(5)("drm_sched_job_done", job(9, 1));
    feed.at(9)("drm_sched_job_queue", job(9, 2)).at(10)("drm_sched_job_run", job(9, 2));
    feed.at(15)("drm_sched_job_done", job(9, 2));
    const auto& jobs = feed.jobs();
    CHECK(ns(jobs.at(0).started) == unknown);
    CHECK(ns(jobs.at(1).started) == 10);
}

TEST_CASE("job_when_open_at_the_end_of_a_trace_that_lost_events_then_is_lost")
{
    JobFeeder feed;
    feed.at(1)("drm_sched_job_queue", job(9, 1)).lose(2, 3);
    feed.at(5)("drm_sched_job_queue", job(9, 2));
    const auto& jobs = feed.jobs();
    CHECK(jobs.at(0).ending == model::Ending::Lost);
    CHECK(jobs.at(1).ending == model::Ending::Normal);
}

TEST_CASE("fence_when_cut_numbers_fit_two_jobs_then_ends_neither")
{
    JobFeeder feed;
    feed.at(1)("drm_sched_job_queue", job(9, 1));
    feed.at(2)("drm_sched_job_queue", job(0x1'0000'0009, 1));
    feed.at(3)("dma_fence_signaled", fence(9, 1));
    CHECK(feed.count(Anomaly::AmbiguousFence) == 1);
    CHECK(ns(feed.jobs().at(0).completed) == unknown);
}
