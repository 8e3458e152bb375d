// SPDX-License-Identifier: MIT
//
// Rings of several devices with one name, where fences are all that was recorded.
#include "job_feeder.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

/// Two jobs that are on the hardware together: the second one's start is the first one's end if
/// one ring executes both. `second`: the context of its fence on the hardware.
std::vector<model::Job> two_jobs(std::uint64_t first, std::uint64_t second,
                                 const char* name = "gfx")
{
    JobFeeder feed;
    for (const std::uint64_t job : {0U, 1U}) {
        const auto time = static_cast<std::int64_t>(job) * 5;
        const std::uint64_t context = 8 + 10 * job;
        feed.at(10 + time).in(5, 6, "app")("gpu_fence_init", fence("drm_sched", "gfx", context, 1));
        feed("gpu_fence_init", fence("drm_sched", "gfx", context + 1, 1));
        feed.at(20 + time).in(2, 2, "worker")(
            "gpu_fence_init", fence("gputest", name, job == 0 ? first : second, 77 + job));
        feed.at(21 + time)("gpu_fence_signaled", fence("drm_sched", "gfx", context, 1));
    }
    feed.at(40)("gpu_fence_signaled", fence("drm_sched", "gfx", 9, 1));
    feed.at(50)("gpu_fence_signaled", fence("drm_sched", "gfx", 19, 1));
    return feed.jobs();
}

} // namespace

TEST_CASE("fences_when_those_of_the_hardware_are_of_one_context_then_a_job_follows_the_other")
{
    const auto jobs = two_jobs(3, 3);
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[0].started) == 21);
    CHECK(ns(jobs[1].started) == 40);
}

TEST_CASE("fences_when_those_of_the_hardware_are_of_two_contexts_then_the_ring_is_no_one_ring")
{
    const auto jobs = two_jobs(3, 7);
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[1].started) == unknown);
    CHECK(ns(jobs[1].completed) == 50);
}

TEST_CASE("fences_when_those_of_two_contexts_have_another_name_then_say_nothing_of_the_ring")
{
    const auto jobs = two_jobs(3, 7, "comp");
    REQUIRE(jobs.size() == 2);
    CHECK(ns(jobs[1].started) == 40);
}
