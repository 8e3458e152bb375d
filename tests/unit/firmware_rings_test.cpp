// SPDX-License-Identifier: MIT
//
// Jobs that a device's firmware schedules: no start is inferred, whoever names the driver.
#include "drivers/firmware_rings.hpp"
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

Fields keyed(const char* ring, std::uint64_t context, std::uint64_t seqno)
{
    return {{"name", ring},
            {"dev", "0000:03:00.0"},
            {"fence_context", u(context)},
            {"fence_seqno", u(seqno)}};
}

void run_alone(JobFeeder& feed, const char* ring)
{
    feed.at(10).in(5, 6, "app")("drm_sched_job_queue", keyed(ring, 50, 1));
    feed.at(20).in(2, 2, "worker")("drm_sched_job_run", keyed(ring, 50, 1));
    feed.at(90)("drm_sched_job_done", keyed(ring, 50, 1));
}

Fields pointed(std::uint64_t pointer, std::uint64_t id)
{
    return {{"name", "ccs5"}, {"fence", u(pointer)}, {"id", u(id)}};
}

} // namespace

TEST_CASE("firmware_driver_when_ring_has_its_name_then_is_told")
{
    using model::firmware_driver_of;
    CHECK(firmware_driver_of("rcs0") == "xe");
    CHECK(firmware_driver_of("ccs17") == "xe");
    CHECK(firmware_driver_of("gsccs1") == "xe");
    CHECK(firmware_driver_of("vecs0") == "xe");
    CHECK(firmware_driver_of("amdxdna_js") == "amdxdna");
    CHECK(firmware_driver_of("panthor-queue-900-1-0") == "panthor");
    CHECK(firmware_driver_of("panthor-queue") == "panthor");
    CHECK(firmware_driver_of("pvr-queue") == "powervr");
    CHECK(firmware_driver_of("nouveau_sched") == "nouveau");
    CHECK(firmware_driver_of("ccs").empty());
    CHECK(firmware_driver_of("ccs0x").empty());
    CHECK(firmware_driver_of("gfx_0.0.0").empty());
    CHECK(firmware_driver_of("v3d_render").empty());
}

TEST_CASE("firmware_ring_when_job_is_alone_then_its_start_stays_unknown")
{
    for (const char* ring : {"ccs5", "panthor-queue-900-1-0", "pvr-queue", "nouveau_sched"}) {
        JobFeeder feed;
        run_alone(feed, ring);
        const auto& jobs = feed.jobs();
        REQUIRE(jobs.size() == 1);
        CHECK(ns(jobs[0].submitted) == 20);
        CHECK(ns(jobs[0].started) == unknown);
        CHECK(ns(jobs[0].completed) == 90);
        CHECK(feed.driver(jobs[0]) == model::firmware_driver_of(ring));
        CHECK(feed.rings().at(*jobs[0].ring).is_firmware_scheduled);
    }
    JobFeeder feed;
    run_alone(feed, "gfx_0.0.0");
    CHECK(ns(feed.jobs().at(0).started) == 20);
}

TEST_CASE("xe_when_only_pointers_join_its_own_events_then_signal_with_context_completes")
{
    JobFeeder feed;
    const Fields job{{"fence", u(0xff22)}, {"seqno", u(1)}, {"dev", "0000:03:00.0"}};
    feed.at(10).in(5, 6, "app")("xe_sched_job_exec", job);
    feed.at(20).in(2, 2, "worker")("xe_sched_job_run", job);
    feed.at(90)("xe_hw_fence_signal",
                {{"ctx", u(0x41)}, {"fence", u(0xff22)}, {"seqno", u(1)}, {"dev", "0000:03:00.0"}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(ns(jobs[0].started) == unknown);
    CHECK(ns(jobs[0].completed) == 90);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("xe_when_job_of_long_running_vm_is_ended_at_run_then_its_end_is_unknown")
{
    JobFeeder feed;
    const Fields own{{"fence", u(0xff22)}, {"seqno", u(1)}, {"dev", "0000:03:00.0"}};
    Fields failed = own;
    failed["error"] = std::int64_t{-95};
    feed.at(10).in(5, 6, "app")("xe_sched_job_exec", own);
    feed.at(12)("drm_sched_job", pointed(0xff11, 1));
    feed.at(20).in(2, 2, "worker")("drm_run_job", pointed(0xff11, 1));
    feed.at(22)("xe_sched_job_run", own);
    feed.at(26)("xe_sched_job_set_error", failed);
    feed.at(30)("drm_sched_process_job", {{"fence", u(0xff11)}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 12);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(ns(jobs[0].completed) == unknown);
    CHECK(jobs[0].fault == model::Fault::None);
    CHECK(feed.anomalies() == feed.count(Anomaly::EndUntold));
    CHECK(feed.count(Anomaly::EndUntold) == 1);
}

TEST_CASE("xe_when_the_thread_that_ran_a_job_ends_it_then_its_end_is_unknown")
{
    JobFeeder feed;
    feed.at(12).in(5, 6, "app")("drm_sched_job", pointed(0xff11, 1));
    feed.at(20).in(2, 2, "worker")("drm_run_job", pointed(0xff11, 1));
    feed.at(30)("drm_sched_process_job", {{"fence", u(0xff11)}});
    feed.at(42).in(5, 6, "app")("drm_sched_job", pointed(0xff12, 2));
    feed.at(50).in(2, 2, "worker")("drm_run_job", pointed(0xff12, 2));
    feed.at(60).in(0, 0, "swapper")("drm_sched_process_job", {{"fence", u(0xff12)}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].completed) == unknown);
    CHECK(ns(jobs[1].completed) == 60);
    CHECK(feed.count(Anomaly::EndUntold) == 1);
}

TEST_CASE("i915_when_guc_schedules_then_no_start_is_inferred")
{
    JobFeeder feed;
    const Fields request{
        {"dev", 0}, {"class", 0}, {"instance", 0}, {"ctx", u(44)}, {"seqno", u(2)}};
    feed.at(10).in(5, 6, "app")("i915_request_queue", request);
    feed.at(20)("i915_request_guc_submit", request);
    feed.at(21)("i915_request_in", request);
    feed.at(90)("dma_fence_signaled", fence("0000:00:02.0", "signaled", 44, 2));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].started) == unknown);
    CHECK(ns(jobs[0].completed) == 90);
}
