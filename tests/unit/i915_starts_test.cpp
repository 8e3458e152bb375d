// SPDX-License-Identifier: MIT
//
// When i915's requests started, where only part of what happened on their engine
// was seen: before the trace began, in a gap, or in one tick of a coarse clock.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

Fields rq(std::uint64_t ctx, std::uint64_t seqno, Fields more = {})
{
    Fields fields{{"dev", 0}, {"ctx", u(ctx)}, {"class", 0}, {"instance", 0}, {"seqno", u(seqno)}};
    fields.merge(more);
    return fields;
}

Fields on_video(std::uint64_t ctx, std::uint64_t seqno)
{
    return {{"dev", 0}, {"ctx", u(ctx)}, {"class", 2}, {"instance", 0}, {"seqno", u(seqno)}};
}

Fields out(std::uint64_t ctx, std::uint64_t seqno, std::uint64_t completed = 1)
{
    return rq(ctx, seqno, {{"completed", u(completed)}});
}

Fields in(std::uint64_t ctx, std::uint64_t seqno, std::uint64_t port = 0)
{
    return rq(ctx, seqno, {{"port", u(port)}});
}

Fields fence(const char* timeline, std::uint64_t ctx, std::uint64_t seqno)
{
    return {{"driver", "0000:00:02.0"},
            {"timeline", timeline},
            {"context", u(ctx)},
            {"seqno", u(seqno)}};
}

Fields signaled(std::uint64_t ctx, std::uint64_t seqno)
{
    return fence("signaled", ctx, seqno);
}

/// Of the only row of this context and interval.
std::optional<std::int64_t> start_of(JobFeeder& feed, std::uint64_t ctx, std::uint64_t seqno,
                                     unsigned interval = 0)
{
    for (const model::Job& job : feed.jobs()) {
        if (job.fence.context == FenceContext{ctx} && job.fence.seqno == FenceSeqno{seqno} &&
            job.interval == interval) {
            return ns(job.started);
        }
    }
    FAIL("no such row");
    return {};
}

/// One after the other on the engine, from a time on.
void run_alone(JobFeeder& feed, std::int64_t time, std::uint64_t ctx)
{
    feed.at(time)("i915_request_add", rq(ctx, 1));
    feed.at(time + 10)("i915_request_execute", rq(ctx, 1))("i915_request_in", in(ctx, 1));
    feed.at(time + 20)("i915_request_out", out(ctx, 1));
}

/// What comes later is still inferred on the ring, and nothing was taken for an overtaking.
void check_order_is_kept(JobFeeder& feed)
{
    run_alone(feed, 10000, 32);
    CHECK(start_of(feed, 32, 1) == 10010);
    CHECK(feed.violations(feed.jobs()[0]) == 0);
}

} // namespace

TEST_CASE(
    "i915_starts_when_an_unseen_request_ended_before_the_previous_one_then_it_does_not_matter")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 9))("i915_request_add", rq(31, 1));
    feed.at(3)("i915_request_in", in(30, 9)).at(4)("i915_request_in", in(31, 1, 1));
    feed.at(5)("gpu_fence_signaled", signaled(99, 3)); // given before the trace began
    feed.at(8)("i915_request_out", out(30, 9)).at(12)("i915_request_out", out(31, 1));
    CHECK(start_of(feed, 30, 9) == unknown);
    CHECK(start_of(feed, 31, 1) == 8);
}

TEST_CASE("i915_starts_when_a_wait_tells_the_engine_of_an_unseen_request_then_others_are_sure")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 9)).at(2)("i915_request_in", in(30, 9));
    feed.at(3)("i915_request_wait_end", on_video(99, 3));
    feed.at(4)("gpu_fence_signaled", signaled(99, 3)).at(8)("i915_request_out", out(30, 9));
    feed.at(11)("i915_request_add", rq(31, 1)).at(12)("i915_request_in", in(31, 1));
    feed.at(13)("i915_request_wait_end", rq(98, 3));
    feed.at(14)("gpu_fence_signaled", signaled(98, 3)).at(18)("i915_request_out", out(31, 1));
    CHECK(start_of(feed, 30, 9) == 2);
    CHECK(start_of(feed, 31, 1) == unknown);
}

TEST_CASE("i915_starts_when_only_fence_and_execution_of_the_carried_were_seen_then_it_comes_before")
{
    JobFeeder feed;
    feed.at(1)("gpu_fence_init", fence("app[12]", 30, 1)).lose(2, 3);
    feed.at(4)("i915_request_add", rq(30, 2));
    feed.at(5)("i915_request_execute", rq(30, 1))("i915_request_execute", rq(30, 2));
    feed("i915_request_in", in(30, 2)).at(12)("gpu_fence_signaled", signaled(30, 1));
    feed.at(20)("i915_request_out", out(30, 2));
    CHECK(start_of(feed, 30, 2) == 12);
    CHECK(feed.ring(feed.jobs().at(1)) == "rcs0");
}

TEST_CASE("i915_starts_when_only_the_fence_of_a_request_was_seen_then_it_may_have_come_between")
{
    JobFeeder feed;
    feed.at(1)("gpu_fence_init", fence("app[12]", 30, 1)).lose(2, 3);
    feed.at(4)("i915_request_add", rq(31, 1)).at(5)("i915_request_in", in(31, 1));
    feed.at(8)("gpu_fence_signaled", signaled(30, 1)).at(9)("i915_request_out", out(31, 1));
    CHECK(start_of(feed, 31, 1) == unknown);
}

TEST_CASE("i915_starts_when_out_tells_of_a_fence_then_it_tells_its_engine_too")
{
    JobFeeder feed;
    feed.at(1)("gpu_fence_init", fence("app[12]", 30, 1)).lose(2, 8);
    feed.at(9)("i915_request_out", out(30, 1));
    CHECK(feed.ring(feed.jobs().at(0)) == "rcs0");
}

TEST_CASE("i915_starts_when_two_carried_end_in_the_tick_of_a_preemption_then_in_their_order")
{
    for (const std::int64_t late : {20, 21}) {
        JobFeeder feed;
        feed.at(1)("i915_request_add", rq(30, 1))("i915_request_add", rq(30, 2));
        feed("i915_request_add", rq(30, 3))("i915_request_add", rq(31, 1));
        feed.at(5)("i915_request_execute", rq(30, 1))("i915_request_execute", rq(30, 2));
        feed("i915_request_execute", rq(30, 3))("i915_request_in", in(30, 3));
        feed.at(20)("gpu_fence_signaled", signaled(30, 2));
        feed("i915_request_execute", rq(30, 3))("i915_request_execute", rq(31, 1));
        feed("i915_request_in", in(30, 3, 1))("i915_request_in", in(31, 1));
        feed("i915_request_out", out(30, 3, 0));
        feed.at(late)("gpu_fence_signaled", signaled(30, 1));
        feed.at(30)("i915_request_out", out(31, 1)).at(40)("i915_request_out", out(30, 3));
        CHECK(start_of(feed, 30, 2) == (late == 20 ? std::optional<std::int64_t>{20} : unknown));
        CHECK(start_of(feed, 31, 1) == 20);
    }
}

TEST_CASE(
    "i915_starts_when_a_carried_one_is_signaled_long_after_it_was_taken_back_then_says_nothing")
{
    JobFeeder feed;
    for (const std::uint64_t seqno : {1, 2}) {
        feed.at(1)("i915_request_add", rq(30, seqno));
    }
    feed.at(1)("i915_request_add", rq(31, 1))("i915_request_add", rq(32, 1));
    feed.at(5)("i915_request_execute", rq(30, 1))("i915_request_execute", rq(30, 2));
    feed("i915_request_in", in(30, 2));
    // 30:1 had ended and is not executed again
    feed.at(20)("i915_request_execute", rq(30, 2))("i915_request_execute", rq(31, 1));
    feed("i915_request_in", in(30, 2, 1))("i915_request_in", in(31, 1));
    feed("i915_request_out", out(30, 2, 0)).at(30)("i915_request_out", out(31, 1));
    feed("i915_request_execute", rq(30, 2))("i915_request_execute", rq(32, 1));
    feed("i915_request_in", in(30, 2, 1))("i915_request_in", in(32, 1));
    feed("i915_request_out", out(30, 2, 0))("gpu_fence_signaled", signaled(30, 1));
    feed.at(40)("i915_request_out", out(32, 1)).at(50)("i915_request_out", out(30, 2));
    CHECK(start_of(feed, 31, 1) == 20);
    CHECK(start_of(feed, 32, 1) == 30);
}

TEST_CASE("i915_starts_when_a_carried_one_may_have_been_taken_back_then_its_signal_ends_no_start")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1))("i915_request_add", rq(30, 2)).lose(3, 10);
    feed.at(12)("i915_request_execute", rq(30, 2))("i915_request_in", in(30, 2));
    feed.at(20)("i915_request_out", out(30, 2, 0));
    feed.at(30)("i915_request_execute", rq(30, 1))("i915_request_execute", rq(30, 2));
    feed("i915_request_in", in(30, 2));
    feed.at(35)("i915_request_add", rq(31, 1))("i915_request_add", rq(32, 1));
    feed.at(36)("i915_request_execute", rq(31, 1))("i915_request_in", in(31, 1, 1));
    feed("i915_request_in", in(30, 2))("i915_request_out", out(30, 2, 0));
    feed.at(40)("i915_request_execute", rq(30, 2))("i915_request_execute", rq(32, 1));
    feed("i915_request_in", in(30, 2, 1))("i915_request_in", in(32, 1));
    feed("i915_request_out", out(30, 2, 0))("i915_request_out", out(31, 1, 0));
    feed.at(45)("gpu_fence_signaled", signaled(30, 1)).at(50)("i915_request_out", out(32, 1));
    CHECK(start_of(feed, 30, 1) == unknown);
    CHECK(start_of(feed, 32, 1) != 45);
}

TEST_CASE(
    "i915_starts_when_a_carried_one_may_have_come_back_then_its_later_interval_is_none_either")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).lose(2, 3); // 30:2 is made there
    feed.at(4)("i915_request_submit", rq(30, 1));
    feed.at(5)("i915_request_execute", rq(30, 1))("i915_request_execute", rq(30, 2));
    feed("i915_request_in", in(30, 2)).at(10)("i915_request_out", out(30, 2, 0));
    feed.at(20)("i915_request_execute", rq(30, 1))("i915_request_in", in(30, 1));
    feed.at(30)("i915_request_out", out(30, 1, 0));
    feed.at(40)("i915_request_execute", rq(30, 1))("i915_request_in", in(30, 1));
    feed.at(50)("i915_request_out", out(30, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].submitted) == unknown); // not 5, the first of three times
    CHECK(ns(jobs[0].completed) == 50);
}

TEST_CASE("i915_starts_when_an_unseen_request_goes_on_carried_then_its_carrier_waits_for_it")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 2))("i915_request_add", rq(31, 1));
    feed.at(5)("i915_request_execute", rq(30, 2))("i915_request_in", in(30, 2));
    feed("i915_request_out", out(30, 1, 0)); // given before the trace began
    feed.at(20)("i915_request_execute", rq(31, 1))("i915_request_execute", rq(30, 2));
    feed("i915_request_in", in(31, 1))("i915_request_out", out(30, 2, 0));
    feed.at(30)("i915_request_out", out(31, 1));
    CHECK(start_of(feed, 30, 2) == unknown);
    CHECK(start_of(feed, 31, 1) == 20);
}

TEST_CASE("i915_starts_when_one_in_doubt_ends_in_the_moment_of_a_preemption_then_it_ran_until_then")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).lose(2, 3);
    feed.at(10)("i915_request_execute", rq(30, 1))("i915_request_in", in(30, 1));
    feed.at(12)("i915_request_add", rq(31, 1))("i915_request_add", rq(32, 1));
    feed.at(15)("i915_request_in", in(30, 1))("i915_request_out", out(30, 1, 0));
    feed.at(16)("i915_request_execute", rq(31, 1))("i915_request_in", in(31, 1, 1));
    feed.at(30)("i915_request_execute", rq(31, 1))("i915_request_execute", rq(32, 1));
    feed("i915_request_out", out(30, 1))("i915_request_out", out(31, 1, 0));
    feed("i915_request_in", in(32, 1))("i915_request_in", in(31, 1, 1));
    feed.at(40)("i915_request_out", out(32, 1)).at(50)("i915_request_out", out(31, 1));
    CHECK(start_of(feed, 31, 1) == unknown);
    CHECK(start_of(feed, 32, 1) == 30);
}

TEST_CASE("i915_starts_when_out_is_lost_then_ports_of_two_moments_are_not_ordered_together")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(29, 1))("i915_request_add", rq(30, 1));
    feed("i915_request_add", rq(31, 1)).at(900)("i915_request_in", in(29, 1));
    feed.at(1000)("i915_request_in", in(30, 1, 1)).lose(2000, 3000); // where both end
    feed.at(5000)("i915_request_in", in(31, 1));
    feed.at(5100)("gpu_fence_signaled", signaled(30, 1)).at(9000)("i915_request_out", out(31, 1));
    check_order_is_kept(feed);
}

TEST_CASE("i915_starts_when_in_of_one_of_two_is_lost_then_their_order_is_open")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1))("i915_request_add", rq(31, 1));
    feed.at(1000)("i915_request_execute", rq(30, 1))("i915_request_execute", rq(31, 1));
    feed.lose(1000, 1001)("i915_request_in", in(31, 1, 1));
    feed.at(2000)("i915_request_out", out(30, 1)).at(3000)("i915_request_out", out(31, 1));
    check_order_is_kept(feed);
}

TEST_CASE("i915_starts_when_out_is_lost_then_the_late_signal_breaks_no_order")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1))("i915_request_add", rq(31, 1));
    feed.at(1000)("i915_request_in", in(30, 1)).at(1001)("i915_request_in", in(31, 1, 1));
    feed.lose(1900, 1950).at(2500)("i915_request_out", out(31, 1));
    feed.at(2600)("gpu_fence_signaled", signaled(30, 1));
    check_order_is_kept(feed);
}

TEST_CASE("i915_starts_when_out_is_lost_then_the_second_after_the_late_signal_is_sure_again")
{
    for (const bool is_execution_seen : {true, false}) {
        JobFeeder feed;
        feed.at(1)("i915_request_add", rq(30, 1))("i915_request_add", rq(31, 1));
        feed("i915_request_add", rq(32, 1)).at(1000);
        if (is_execution_seen) {
            feed("i915_request_execute", rq(30, 1));
        }
        feed("i915_request_in", in(30, 1)).lose(1900, 1950);
        feed.at(2100)("i915_request_execute", rq(31, 1))("i915_request_in", in(31, 1, 1));
        feed.at(2550)("i915_request_execute", rq(32, 1))("i915_request_in", in(32, 1, 1));
        feed.at(2600)("gpu_fence_signaled", signaled(30, 1));
        feed.at(3000)("i915_request_out", out(31, 1)).at(4000)("i915_request_out", out(32, 1));
        CHECK(start_of(feed, 31, 1) == unknown); // 30:1 ended before its signal
        CHECK(start_of(feed, 32, 1) == 3000);
    }
}

TEST_CASE("i915_starts_when_one_seen_late_overtakes_a_lost_one_then_those_given_after_it_stay")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1))("i915_request_add", rq(31, 1));
    feed("i915_request_add", rq(32, 1));
    feed.at(1000)("i915_request_in", in(30, 1)).lose(1500, 1600); // its `out`, and `in` of 31
    feed.at(1590)("i915_request_execute", rq(31, 1));
    feed.at(2000)("i915_request_execute", rq(32, 1))("i915_request_in", in(32, 1, 1));
    feed.at(3000)("i915_request_out", out(31, 1)).at(4000)("i915_request_out", out(32, 1));
    run_alone(feed, 10000, 33);
    CHECK(start_of(feed, 32, 1) == 3000);
    CHECK(start_of(feed, 33, 1) == 10010);
    CHECK(feed.violations(feed.jobs()[0]) == 0);
}
