// SPDX-License-Identifier: MIT
//
// Events of the providers that ROCm proposes, made up from their schema.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

JobFeeder& ring(JobFeeder& feed, std::int64_t time, std::uint64_t queue, std::int64_t index)
{
    feed.at(time)("rocm_hsa:hsa_doorbell_ring",
                  {{"queue_id", queue}, {"write_idx", index}, {"packet_type", 2}});
    return feed;
}

} // namespace

TEST_CASE("rocm_kernel_when_hip_wrote_it_then_is_queued_with_its_name_until_the_doorbell")
{
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    feed.at(1'000)("rocm_hip:hip_kernel_dispatch_enqueue", {{"kernel_name", "sum"}});
    feed.at(1'500)("rocm_hip:hip_aql_kernel_dispatch_submit", {{"queue_id", 3}, {"write_idx", 0}});
    feed.at(1'600)("rocm_hip:hip_aql_kernel_dispatch_submit", {{"queue_id", 3}, {"write_idx", 1}});
    ring(feed, 2'000, 3, 1);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(jobs[0].queued->value() == 1'000);
    CHECK(jobs[0].submitted->value() == 2'000);
    CHECK(!jobs[0].started);
    CHECK(feed.api_call(jobs[0]) == "hsa_doorbell_ring(sum)");
    CHECK(feed.ring(jobs[0]) == "queue 1 of pid 100");
    CHECK(feed.driver(jobs[0]) == "hsa");
    CHECK(jobs[1].queued->value() == 1'600); // HIP did not say which kernel
    CHECK(feed.api_call(jobs[1]) == "hsa_doorbell_ring(kernel_dispatch)");
    CHECK(feed.count(Anomaly::CommandUntimed) == 2);
}

TEST_CASE("rocm_packets_when_of_two_queues_then_each_doorbell_takes_its_own")
{
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    feed.at(1'000)("rocm_hsa:hsa_intercept_packets",
                   {{"queue_id", 1}, {"pkt_index", 5}, {"pkt_count", 3}, {"packet_type", 3}});
    feed.at(1'100)("rocm_hsa:hsa_intercept_packets",
                   {{"queue_id", 2}, {"pkt_index", 5}, {"pkt_count", 1}, {"packet_type", 2}});
    ring(feed, 2'000, 1, 6);
    ring(feed, 3'000, 2, 5);
    ring(feed, 4'000, 1, 7);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 4);
    CHECK(jobs[0].queued->value() == 1'000);
    CHECK(jobs[0].submitted->value() == 2'000);
    CHECK(feed.api_call(jobs[0]) == "hsa_doorbell_ring(barrier_and)");
    CHECK(jobs[1].submitted->value() == 2'000);
    CHECK(feed.ring(jobs[1]) == feed.ring(jobs[0]));
    std::size_t last = 0;
    for (const model::Job& job : jobs) {
        last += job.submitted->value() == 4'000 ? 1 : 0;
    }
    CHECK(last == 1);
}

TEST_CASE("rocm_doorbell_when_alone_then_is_a_job_and_bad_ones_are_counted")
{
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    ring(feed, 2'000, 1, 0);
    ring(feed, 3'000, 1, -1);
    REQUIRE(feed.jobs().size() == 1);
    CHECK(feed.jobs()[0].submitted->value() == 2'000);
    CHECK(feed.count(Anomaly::EventWithoutIdentity) == 1);
}

TEST_CASE("rocm_call_when_it_waits_then_is_a_wait")
{
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    ring(feed, 500, 1, 0);
    feed.at(1'000)("rocm_hip:hipStreamSynchronize", {{"phase", 0}});
    feed.at(9'000)("rocm_hip:hipStreamSynchronize", {{"phase", 1}});
    feed.at(9'500)("rocm_hsa:hsa_queue_create", {{"phase", 1}}); // its beginning is missing
    REQUIRE(feed.jobs().size() == 1);
    REQUIRE(feed.waits().size() == 1);
    CHECK(feed.waits()[0].begin.value() == 1'000);
    CHECK(feed.waits()[0].end.value() == 9'000);
}
