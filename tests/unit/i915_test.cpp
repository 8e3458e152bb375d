// SPDX-License-Identifier: MIT
//
// i915 requests: execlists and GuC, all field generations, preemption, requests
// carried by another, and engines shared by ports.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using model::JobStatus;

namespace {

Fields rq(std::uint64_t ctx, std::uint64_t seqno, Fields more = {})
{
    Fields fields{{"dev", 0}, {"ctx", u(ctx)}, {"class", 0}, {"instance", 0}, {"seqno", u(seqno)}};
    fields.merge(more);
    return fields;
}

Fields out(std::uint64_t ctx, std::uint64_t seqno, std::uint64_t completed)
{
    return rq(ctx, seqno, {{"completed", u(completed)}});
}

Fields in(std::uint64_t ctx, std::uint64_t seqno, std::uint64_t port = 0)
{
    return rq(ctx, seqno, {{"port", u(port)}});
}

Fields signaled(std::uint64_t ctx, std::uint64_t seqno)
{
    return {{"driver", "0000:00:02.0"},
            {"timeline", "signaled"},
            {"context", u(ctx)},
            {"seqno", u(seqno)}};
}

} // namespace

TEST_CASE("i915_when_execlists_then_all_stages_are_found")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "glmark2")("i915_request_queue",
                                    rq(30, 1, {{"dev_name", "0000:00:02.0"}}));
    feed.at(12)("i915_request_add", rq(30, 1)).at(15)("i915_request_submit", rq(30, 1));
    feed.at(20)("i915_request_execute", rq(30, 1)).at(21)("i915_request_in", in(30, 1));
    feed.at(40)("i915_request_out", out(30, 1, 1)).at(41)("dma_fence_signaled", signaled(30, 1));
    feed.at(50)("i915_request_retire", rq(30, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].runnable) == 15);
    CHECK(ns(jobs[0].submitted) == 21);
    CHECK(ns(jobs[0].started) == 21);
    CHECK(ns(jobs[0].completed) == 40);
    CHECK(jobs[0].completed_basis == model::Basis::Observed);
    CHECK(feed.device(jobs[0]) == "0000:00:02.0");
    CHECK(feed.ring(jobs[0]) == "rcs0");
    CHECK(feed.driver(jobs[0]) == "i915");
    CHECK(feed.comm(jobs[0]) == "glmark2");
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("i915_when_device_name_comes_late_then_is_one_device")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1));
    feed.at(2)("i915_request_queue", rq(31, 1, {{"dev_name", "0000:00:02.0"}}));
    feed.at(3)("i915_request_add", rq(31, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(jobs[0].ring == jobs[1].ring);
    CHECK(feed.device(jobs[0]) == "0000:00:02.0");
}

TEST_CASE("i915_when_guc_then_submitted_by_handing_over_and_completed_by_signal")
{
    JobFeeder feed;
    feed.at(10)("i915_request_add", rq(30, 1)).at(11)("i915_request_add", rq(30, 2));
    feed.at(20)("i915_request_execute", rq(30, 1)).at(21)("i915_request_in", in(30, 1));
    feed.at(22)("i915_request_execute", rq(30, 2)).at(23)("i915_request_in", in(30, 2));
    feed.at(24)("i915_request_guc_submit", rq(30, 2));
    feed.at(40)("dma_fence_signaled", signaled(30, 1));
    feed.at(60)("dma_fence_signaled", signaled(30, 2));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].submitted) == 21);
    CHECK(ns(jobs[0].completed) == 40);
    CHECK(ns(jobs[1].submitted) == 23);
    CHECK_FALSE(jobs[1].started); // the firmware decides
    CHECK(ns(jobs[1].completed) == 60);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("i915_when_preempted_then_each_interval_is_a_row")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).at(2)("i915_request_in", in(30, 1));
    feed.at(10)("i915_request_add", rq(31, 1)); // more important
    feed.at(12)("i915_request_out", out(30, 1, 0)).at(13)("i915_request_in", in(31, 1));
    feed.at(20)("i915_request_out", out(31, 1, 1)).at(21)("i915_request_in", in(30, 1));
    feed.at(30)("i915_request_out", out(30, 1, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(jobs[0].ending == model::Ending::Preempted);
    CHECK_FALSE(jobs[0].is_last);
    CHECK(ns(jobs[0].queued) == 1);
    CHECK(ns(jobs[0].started) == 2);
    CHECK(ns(jobs[0].completed) == 12);
    CHECK(jobs[1].interval == 1);
    CHECK(jobs[1].is_last);
    CHECK(ns(jobs[1].queued) == 12);
    CHECK(ns(jobs[1].submitted) == 21);
    CHECK(ns(jobs[1].started) == 21);
    CHECK(ns(jobs[1].completed) == 30);
    CHECK(jobs[2].fence.context == FenceContext{31});
    CHECK(ns(jobs[2].started) == 13);
    CHECK(feed.violations(jobs[0]) == 0);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("i915_when_ports_are_written_again_with_the_same_request_first_then_it_goes_on")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).at(2)("i915_request_in", in(30, 1, 0));
    feed.at(5)("i915_request_add", rq(31, 1)).at(6)("i915_request_in", in(31, 1, 1));
    feed.at(7)("i915_request_in", in(30, 1, 0)).at(8)("i915_request_out", out(30, 1, 0));
    feed.at(20)("i915_request_out", out(30, 1, 1)).at(30)("i915_request_out", out(31, 1, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].submitted) == 2);
    CHECK(ns(jobs[0].started) == 2);
    CHECK(ns(jobs[0].completed) == 20);
    CHECK(ns(jobs[1].submitted) == 6);
    CHECK(ns(jobs[1].started) == 20);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("i915_when_pushed_to_the_second_port_then_is_preempted_but_on_the_device")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).at(2)("i915_request_in", in(30, 1, 0));
    feed.at(5)("i915_request_add", rq(31, 1)).at(6)("i915_request_in", in(30, 1, 1));
    feed.at(7)("i915_request_in", in(31, 1, 0)).at(10)("i915_request_out", out(30, 1, 0));
    feed.at(20)("i915_request_out", out(31, 1, 1)).at(30)("i915_request_out", out(30, 1, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(ns(jobs[0].started) == 2);
    CHECK(ns(jobs[0].completed) == 10);
    CHECK(ns(jobs[1].submitted) == 10);
    CHECK(ns(jobs[1].started) == 20);
    CHECK(ns(jobs[1].completed) == 30);
    CHECK(ns(jobs[2].started) == 10);
    CHECK(feed.violations(jobs[0]) == 0);
}

TEST_CASE("i915_when_both_ports_are_given_at_once_then_the_first_port_executes_first")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).at(2)("i915_request_add", rq(31, 1));
    feed.at(5)("i915_request_in", in(31, 1, 1)).at(6)("i915_request_in", in(30, 1, 0));
    feed.at(20)("i915_request_out", out(30, 1, 1)).at(30)("i915_request_out", out(31, 1, 1));
    const auto& jobs = feed.jobs();
    CHECK(ns(jobs[0].started) == 6);
    CHECK(ns(jobs[1].started) == 20);
    CHECK(feed.violations(jobs[0]) == 0);
}

TEST_CASE("i915_when_carried_and_never_signaled_then_ends_with_its_carrier_as_inferred")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).at(2)("i915_request_add", rq(30, 2));
    feed.at(5)("i915_request_execute", rq(30, 1)).at(6)("i915_request_execute", rq(30, 2));
    feed.at(7)("i915_request_in", in(30, 2)).at(20)("i915_request_out", out(30, 2, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].submitted) == 5);
    CHECK(ns(jobs[0].completed) == 20);
    CHECK(jobs[0].completed_basis == model::Basis::Inferred);
    CHECK(ns(jobs[1].submitted) == 7);
    CHECK(ns(jobs[1].completed) == 20);
    CHECK(jobs[1].completed_basis == model::Basis::Observed);
    CHECK(ns(jobs[1].started) == unknown); // somewhere between
}

TEST_CASE("i915_when_carried_and_signaled_then_that_is_its_end")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).at(2)("i915_request_add", rq(30, 2));
    feed.at(5)("i915_request_execute", rq(30, 1)).at(6)("i915_request_execute", rq(30, 2));
    feed.at(7)("i915_request_in", in(30, 2)).at(12)("dma_fence_signaled", signaled(30, 1));
    feed.at(20)("i915_request_out", out(30, 2, 1));
    const auto& jobs = feed.jobs();
    CHECK(ns(jobs[0].completed) == 12);
    CHECK(jobs[0].completed_basis == model::Basis::Observed);
    CHECK(ns(jobs[1].started) == 12);
}

TEST_CASE("i915_when_a_later_request_of_its_context_takes_over_the_port_then_is_not_preempted")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).at(2)("i915_request_in", in(30, 1));
    feed.at(3)("i915_request_add", rq(30, 2)).at(4)("i915_request_in", in(30, 2));
    feed.at(5)("i915_request_out", out(30, 1, 0)).at(9)("dma_fence_signaled", signaled(30, 1));
    feed.at(20)("i915_request_out", out(30, 2, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].started) == 2);
    CHECK(ns(jobs[0].completed) == 9);
    CHECK(ns(jobs[1].started) == 9);
}

TEST_CASE("i915_when_only_retired_then_has_no_completion_and_does_not_hold_rows_back")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).at(5)("i915_request_retire", rq(30, 1));
    feed.at(10)("i915_request_add", rq(30, 2)).at(300'000'000)("i915_request_retire", rq(30, 2));
    feed.at(300'000'001);
    CHECK(feed.count(Anomaly::RetiredUnended) == 1);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].completed) == unknown);
    CHECK_FALSE(jobs[1].is_alive_at_end);
}

TEST_CASE("i915_when_signaled_by_its_retirement_then_that_is_the_end")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).at(5)("i915_request_retire", rq(30, 1));
    feed.at(6)("dma_fence_signaled", signaled(30, 1));
    CHECK(ns(feed.jobs().at(0).completed) == 6);
}

TEST_CASE("i915_when_kernel_4_14_then_notify_ends_by_the_number_of_the_engine")
{
    JobFeeder feed;
    const auto old = [](std::uint64_t seqno, std::uint64_t global, Fields more = {}) {
        Fields fields{
            {"dev", 0}, {"ring", 4}, {"ctx", 29}, {"seqno", u(seqno)}, {"global", u(global)}};
        fields.merge(more);
        return fields;
    };
    feed.at(1)("i915_gem_request_add", old(7, 0)).at(2)("i915_gem_request_add", old(8, 0));
    feed.at(3)("i915_gem_request_execute", old(7, 0xffffffff));
    feed.at(4)("i915_gem_request_in", old(7, 0xffffffff, {{"port", 0}}));
    feed.at(5)("i915_gem_request_execute", old(8, 1));
    feed.at(6)("i915_gem_request_in", old(8, 1, {{"port", 0}}));
    feed.at(10)("intel_engine_notify", {{"dev", 0}, {"ring", 4}, {"seqno", u(0xffffffff)}});
    feed.at(12)("intel_engine_notify", {{"dev", 0}, {"ring", 4}, {"seqno", 1}});
    feed.at(14)("i915_gem_request_out", old(8, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(feed.ring(jobs[0]) == "vecs0");
    CHECK(feed.device(jobs[0]) == "card0");
    CHECK(ns(jobs[0].completed) == 10);
    CHECK(ns(jobs[1].started) == 10);
    CHECK(ns(jobs[1].completed) == 12);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("i915_when_ring_number_may_mean_two_engines_then_stays_a_number")
{
    JobFeeder feed;
    const Fields fields{{"dev", 0}, {"ring", 4}, {"ctx", 29}, {"seqno", 7}};
    feed.at(1)("i915_request_add", fields);
    CHECK(feed.ring(feed.jobs().at(0)) == "4");
}

TEST_CASE("i915_when_an_unseen_request_may_have_ended_then_no_start_is_inferred")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 9)).at(2)("i915_request_in", in(30, 9));
    feed.at(5)("dma_fence_signaled", signaled(99, 3)); // given before the trace began
    feed.at(8)("dma_fence_signaled", signaled(30, 9));
    CHECK(ns(feed.jobs().at(0).started) == unknown);
}

TEST_CASE("i915_when_in_is_lost_then_its_request_overtakes_nobody_and_the_ring_stays_in_order")
{
    JobFeeder feed;
    feed.at(1)("i915_request_add", rq(30, 1)).at(2)("i915_request_add", rq(31, 1));
    feed.at(3)("i915_request_add", rq(32, 1));
    feed.at(10)("i915_request_execute", rq(30, 1)).lose(11, 12);
    feed.at(20)("i915_request_execute", rq(31, 1))("i915_request_in", in(31, 1));
    feed.at(30)("i915_request_out", out(30, 1, 1)).at(40)("i915_request_out", out(31, 1, 1));
    feed.at(50)("i915_request_execute", rq(32, 1))("i915_request_in", in(32, 1));
    feed.at(60)("i915_request_out", out(32, 1, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(ns(jobs[0].submitted) == 10);
    CHECK(ns(jobs[0].started) == unknown);
    CHECK(ns(jobs[1].started) == 30);
    CHECK(ns(jobs[2].started) == 50);
    CHECK(feed.violations(jobs[0]) == 0);
}

TEST_CASE("i915_when_each_request_is_executed_then_one_without_that_event_lacks_it")
{
    JobFeeder feed;
    for (std::uint64_t number = 1; number <= 2; ++number) {
        const auto time = static_cast<std::int64_t>(number) * 100;
        feed.at(time)("i915_request_add", rq(30, number));
        if (number == 1) {
            feed.at(time + 10)("i915_request_execute", rq(30, number));
        }
        feed.at(time + 10)("i915_request_in", in(30, number));
        feed.at(time + 40)("i915_request_out", out(30, number, 1));
    }
    feed.jobs();
    CHECK(feed.count(Anomaly::SubmitEventMissing) == 1);
}

TEST_CASE("i915_when_a_request_is_retired_then_its_fence_was_signaled_by_then")
{
    JobFeeder feed;
    feed.at(10)("i915_request_add", rq(30, 1)).at(20)("i915_request_execute", rq(30, 1));
    feed.at(20)("i915_request_in", in(30, 1)).at(40)("dma_fence_signaled", signaled(30, 1));
    feed.at(50)("i915_request_add", rq(31, 1)).at(60)("i915_request_execute", rq(31, 1));
    feed.at(60)("i915_request_in", in(31, 1)).at(90)("i915_request_retire", rq(31, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[1].completed) == unknown);
    CHECK(ns(jobs[1].completed_by) == 90);
    CHECK(jobs[1].ending == model::Ending::Lost);
    CHECK(feed.count(Anomaly::CompletionEventMissing) == 1);
}
