// SPDX-License-Identifier: MIT
//
// Jobs of radeon, by the events of our probes and by the kernel's own beside those of fences.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

/// As the kernel's own event has it.
Fields radeon(int ring, std::uint64_t seqno)
{
    return {{"dev", 0}, {"ring", ring}, {"seqno", u(seqno)}};
}

/// As our probe's has it.
Fields probed_radeon(int ring, std::uint64_t context, std::uint64_t seqno)
{
    return {{"dev", 0},
            {"ring", ring},
            {"seqno", u(seqno)},
            {"context", u(context)},
            {"dev_name", "0000:01:00.0"}};
}

} // namespace

TEST_CASE("radeon_when_probed_then_job_is_queued_by_its_ioctl_and_ended_by_its_fence")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "glxgears")("radeon_cs", {{"ring", 0}, {"dev_name", "0000:01:00.0"}});
    feed.at(12)("radeon_fence_emit", probed_radeon(3, 43, 7)); // page tables, in the ioctl
    feed.at(15)("gpu_fence_init", fence("radeon", "radeon.gfx", 40, 99));
    feed.at(16)("radeon_fence_emit", probed_radeon(0, 40, 99));
    feed.at(20)("radeon_fence_wait_begin", probed_radeon(0, 40, 99));
    feed.at(30).in_nobody()("gpu_fence_signaled", fence("radeon", "radeon.gfx", 40, 99));
    feed.at(31)("gpu_fence_signaled", fence("radeon", "radeon.dma", 43, 7));
    feed.at(33).in(5, 6, "glxgears")("radeon_fence_wait_end", probed_radeon(0, 40, 99));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 16);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(ns(jobs[0].observed) == 33);
    CHECK(feed.comm(jobs[0]) == "glxgears");
    CHECK(feed.driver(jobs[0]) == "radeon");
    CHECK(feed.device(jobs[0]) == "0000:01:00.0");
    CHECK(feed.ring(jobs[0]) == "radeon.gfx");
    CHECK(jobs[0].fence.context == FenceContext{40});
    CHECK(jobs[0].fence.seqno == FenceSeqno{99});
    CHECK(feed.ring(jobs[1]) == "radeon.dma");
    CHECK(ns(jobs[1].queued) == 12);
    CHECK(ns(jobs[1].completed) == 31);
    CHECK(feed.waits().size() == 1);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("radeon_when_the_kernels_own_events_then_its_fence_is_that_of_the_thread")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("radeon_cs", {{"ring", 0}});
    feed.at(15)("dma_fence_init", fence("radeon", "radeon.gfx", 40, 99));
    feed.at(16)("radeon_fence_emit", radeon(0, 99));
    feed.at(17)("radeon_fence_wait_begin", radeon(0, 99));
    feed.at(17)("radeon_fence_wait_begin", radeon(3, 5)); // the same sleep, for another ring, too
    feed.at(30)("dma_fence_signaled", fence("radeon", "radeon.gfx", 40, 99));
    feed.at(33)("radeon_fence_wait_end", radeon(0, 99));
    feed.at(33)("radeon_fence_wait_end", radeon(3, 5));
    feed.at(40)("radeon_fence_emit", radeon(0, 100)); // of which no fence is seen
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 16);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(feed.device(jobs[0]) == "card0");
    CHECK(jobs[0].fence.context == FenceContext{40});
    CHECK(ns(jobs[1].submitted) == 40);
    CHECK(ns(jobs[1].completed) == unknown);
    CHECK(!jobs[1].fence.context);
    CHECK(feed.waits().size() == 1);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("radeon_when_the_ioctl_fails_or_its_event_is_lost_then_no_queue_time_is_made_up")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("radeon_cs", {{"ring", 0}, {"dev_name", "0000:01:00.0"}});
    feed.at(20)("radeon_cs", {{"ring", 0}, {"dev_name", "0000:01:00.0"}}); // the first one failed
    feed.at(21)("radeon_fence_emit", probed_radeon(0, 40, 1));
    feed.lose(22, 24);
    feed.at(25)("radeon_fence_emit", probed_radeon(0, 40, 2));
    feed.at(30)("gpu_fence_signaled", fence("radeon", "radeon.gfx", 40, 1));
    feed.at(40)("gpu_fence_signaled", fence("radeon", "radeon.gfx", 40, 2));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].queued) == 20);
    CHECK(ns(jobs[1].queued) == unknown);
    CHECK(ns(jobs[1].submitted) == 25);
    CHECK(feed.count(Anomaly::SubmissionAbandoned) == 1);
}
