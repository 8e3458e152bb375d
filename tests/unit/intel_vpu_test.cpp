// SPDX-License-Identifier: MIT
//
// Jobs of intel_vpu, by the events of our probes and by the kernel's own beside those of fences.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

Fields vpu(const char* what, int job)
{
    return {{"event", what}, {"ctx_id", 2}, {"engine_id", 0}, {"job_id", job}};
}

Fields probed_vpu(const char* what, int job, std::uint64_t context)
{
    Fields fields = vpu(what, job);
    fields["context"] = u(context);
    fields["seqno"] = u(1);
    fields["dev_name"] = "0000:00:0b.0";
    return fields;
}

} // namespace

TEST_CASE("intel_vpu_when_probed_then_job_is_queued_by_its_fence_and_starts_are_not_inferred")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("gpu_fence_init", fence("intel_vpu", "0000:00:0b.0", 70, 1));
    feed.at(12)("vpu_job", probed_vpu("submit", 513, 70));
    feed.at(30).in_nobody()("gpu_fence_signaled", fence("intel_vpu", "0000:00:0b.0", 70, 1));
    feed.at(31)("vpu_job", probed_vpu("done", 513, 70));
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(ns(jobs[0].queued) == 10);
    CHECK(ns(jobs[0].submitted) == 12);
    CHECK(ns(jobs[0].started) == unknown);
    CHECK(ns(jobs[0].completed) == 30);
    CHECK(feed.driver(jobs[0]) == "intel_vpu");
    CHECK(feed.device(jobs[0]) == "0000:00:0b.0");
    CHECK(feed.ring(jobs[0]) == "compute");
    CHECK(feed.comm(jobs[0]) == "app");
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("intel_vpu_when_the_kernels_own_events_then_numbers_that_come_back_are_other_jobs")
{
    JobFeeder feed;
    feed.at(10).in(5, 6, "app")("job", vpu("submit", 513));
    feed.at(20)("job", vpu("done", 513));
    feed.at(30)("dma_fence_init", fence("intel_vpu", "0000:00:0b.0", 71, 1));
    feed.at(31)("job", vpu("submit", 513));
    feed.at(40)("dma_fence_signaled", fence("intel_vpu", "0000:00:0b.0", 71, 1));
    feed.at(41)("job", vpu("done", 513));
    feed.at(50)("job", vpu("submit", 513));
    feed.at(60)("job", vpu("submit", 513)); // whose end before was not seen
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 4);
    CHECK(ns(jobs[0].completed) == 20);
    CHECK(ns(jobs[1].queued) == 30);
    CHECK(ns(jobs[1].submitted) == 31);
    CHECK(ns(jobs[1].completed) == 40);
    CHECK(ns(jobs[2].submitted) == 50);
    CHECK(ns(jobs[2].completed) == unknown);
    CHECK(feed.anomalies() == feed.count(Anomaly::CompletionNeverSeen));
    CHECK(feed.count(Anomaly::CompletionNeverSeen) == 1);
}

TEST_CASE("intel_vpu_when_the_ioctl_fails_then_its_fence_is_no_job")
{
    JobFeeder feed;
    feed.at(5).in(5, 6, "app")("vpu_job", probed_vpu("submit", 1, 60));
    feed.at(10)("gpu_fence_init", fence("intel_vpu", "0000:00:0b.0", 70, 1));
    feed.at(12)("gpu_fence_signaled", fence("intel_vpu", "0000:00:0b.0", 70, 1));
    feed.at(13)("vpu_job", probed_vpu("done", 1, 60));
    CHECK(feed.jobs().size() == 1);
    CHECK(feed.count(Anomaly::FenceWithoutJobEvents) == 1);
}
