// SPDX-License-Identifier: MIT
//
// Jobs of amdxdna: its own events beside those of drm_sched, and alone.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

Fields xdna(const char* what, std::uint64_t context, std::uint64_t seqno)
{
    return {{"str", what}, {"fence_context", u(context)}, {"fence_seqno", u(seqno)}};
}

} // namespace

TEST_CASE("amdxdna_when_drm_sched_tells_too_then_is_one_job_whose_fault_is_known")
{
    JobFeeder feed;
    const Fields keyed{{"name", "amdxdna_js"},
                       {"dev", "0000:c5:00.1"},
                       {"fence_context", u(80)},
                       {"fence_seqno", u(1)}};
    feed.at(10).in(5, 6, "app")("drm_sched_job_queue", keyed);
    feed.at(20).in(2, 2, "worker")("drm_sched_job_run", keyed);
    feed.at(21)("amdxdna_job", xdna("sent to device", 80, 1));
    feed.at(25)("amdxdna_job", xdna("job timedout", 80, 1));
    feed.at(30)("amdxdna_job", xdna("signaling fence", 80, 1));
    feed.at(31)("drm_sched_job_done", keyed);
    feed.at(32)("gpu_fence_signaled", fence("drm_sched", "amdxdna_js", 80, 1));
    feed.at(40)("amdxdna_job", xdna("job free", 80, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(jobs[0].fault == model::Fault::TimedOut);
    CHECK(feed.device(jobs[0]) == "0000:c5:00.1");
    CHECK(feed.driver(jobs[0]) == "amdxdna");
    CHECK(feed.anomalies() == feed.count(Anomaly::JobTimedOut));
}

TEST_CASE("amdxdna_when_drm_sched_names_pointers_then_its_own_event_tells_the_fence")
{
    JobFeeder feed;
    const Fields pointer{{"name", "amdxdna_js"}, {"fence", u(0x7000)}, {"id", 1}};
    feed.at(10).in(5, 6, "app")("drm_sched_job", pointer);
    feed.at(20).in(2, 2, "worker")("drm_run_job", pointer);
    feed.at(21)("xdna_job", xdna("sent to device", 80, 1));
    feed.at(30)("xdna_job", xdna("signaled fence", 80, 1));
    feed.at(31)("drm_sched_process_job", {{"fence", u(0x7000)}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(ns(jobs[0].completed) == 31);
    CHECK(jobs[0].fence.context == FenceContext{80});
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("amdxdna_when_alone_then_when_it_was_queued_stays_unknown")
{
    JobFeeder feed;
    feed.at(20).in(2, 2, "worker")("amdxdna_job", xdna("sent to device", 80, 1));
    feed.at(30)("amdxdna_job", xdna("signaling fence", 80, 1));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == unknown);
    CHECK(ns(jobs[0].submitted) == 20);
    CHECK(ns(jobs[0].started) == unknown);
    CHECK(ns(jobs[0].completed) == 30);
}
