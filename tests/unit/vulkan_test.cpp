// SPDX-License-Identifier: MIT
//
// Vulkan's calls and submissions, from the events that the layer records.
#include "opencl_program.hpp"
#include "system/actor_origins.hpp"

#include <algorithm>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr Labelled queue_submit{33, "vkQueueSubmit2"};
constexpr Labelled wait_for_fences{15, "vkWaitForFences"};
constexpr Labelled acquire{18, "vkAcquireNextImageKHR"};
constexpr Labelled present{37, "vkQueuePresentKHR"};

/// A process with one queue.
class VulkanProgram {
public:
    explicit VulkanProgram(JobFeeder& feeder) : m_feed{feeder}
    {
        feeder.clock_offset(0).in(100, 101, "app");
        feeder.at(10)("lttng_gpu_vulkan:device",
                      {{"device", 7}, {"name", "GPU"}, {"timer_resolution", 1}});
        feeder.at(20)("lttng_gpu_vulkan:queue", {{"queue", 70}, {"device", 7}});
    }
    VulkanProgram& clock(std::int64_t time)
    {
        m_feed.at(time)("lttng_gpu_vulkan:device_clock",
                        {{"device", 7},
                         {"device_time", device_zero + static_cast<std::uint64_t>(time)},
                         {"before_ns", time},
                         {"after_ns", time}});
        return *this;
    }
    VulkanProgram& submit(std::int64_t begin, std::int64_t end, std::uint64_t number, int timed)
    {
        m_feed.at(end)("lttng_gpu_vulkan:submit", {{"begin_ns", begin},
                                                   {"function", queue_submit},
                                                   {"queue", 70},
                                                   {"submission", number},
                                                   {"timed", timed}});
        return *this;
    }
    VulkanProgram& wait(std::int64_t begin, std::int64_t end, const Labelled& function)
    {
        m_feed.at(end)("lttng_gpu_vulkan:wait",
                       {{"begin_ns", begin}, {"function", function}, {"timeout", 1'000}});
        return *this;
    }

private:
    JobFeeder& m_feed;
};

} // namespace

TEST_CASE("vulkan_submission_when_timed_then_is_a_job_with_mapped_times")
{
    JobFeeder feed;
    VulkanProgram{feed}.clock(100).submit(1'000, 1'500, 1, 1).clock(5'000'000);
    const auto on_device = [](std::uint64_t time) { return Numbers{device_zero + time}; };
    feed.at(6'000'000)("lttng_gpu_vulkan:command_times", {{"command", Numbers{1}},
                                                          {"queue", 70},
                                                          {"status", std::int64_t{0}},
                                                          {"validity", times_valid},
                                                          {"queued", on_device(1'010)},
                                                          {"submit", on_device(1'490)},
                                                          {"start", on_device(3'000)},
                                                          {"end", on_device(4'000)},
                                                          {"observed_ns", 6'000'000}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(is_near(jobs[0].queued, 1'010));
    CHECK(is_near(jobs[0].submitted, 1'490));
    CHECK(is_near(jobs[0].started, 3'000));
    CHECK(is_near(jobs[0].completed, 4'000));
    CHECK(feed.driver(jobs[0]) == "vulkan");
    CHECK(feed.device(jobs[0]) == "GPU");
    CHECK(feed.api_call(jobs[0]) == "vkQueueSubmit2");
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("vulkan_submission_when_not_timed_then_is_a_call_and_no_job")
{
    JobFeeder feed;
    VulkanProgram{feed}.submit(1'000, 1'500, 1, 0);
    CHECK(feed.jobs().empty());
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("vulkan_submission_when_timed_without_a_number_then_is_counted")
{
    JobFeeder feed;
    VulkanProgram{feed}.submit(1'000, 1'500, 0, 1);
    CHECK(feed.jobs().empty());
    CHECK(feed.count(Anomaly::EventWithoutIdentity) == 1);
}

TEST_CASE("vulkan_submissions_when_never_timed_after_all_then_are_jobs_without_times")
{
    JobFeeder feed;
    VulkanProgram{feed}.submit(1'000, 1'500, 1, 1).submit(2'000, 2'500, 2, 1);
    feed.at(5'000)("lttng_gpu_vulkan:commands_untimed", {{"queue", 70}, {"count", 2}});
    CHECK(feed.count(Anomaly::CommandUntimed) == 2);
    CHECK(feed.jobs().size() == 2);
}

TEST_CASE("vulkan_queue_when_the_program_names_it_then_its_ring_is_shown_with_that_name")
{
    const auto ring_after = [](const std::vector<std::pair<Labelled, const char*>>& names) {
        JobFeeder feed;
        VulkanProgram program{feed};
        for (const auto& [type, name] : names) {
            feed.at(30)("lttng_gpu_vulkan:object_name",
                        {{"object", 70}, {"type", type}, {"name", name}});
        }
        program.submit(1'000, 1'500, 1, 1);
        feed.at(5'000)("lttng_gpu_vulkan:commands_untimed", {{"queue", 70}, {"count", 1}});
        REQUIRE(feed.jobs().size() == 1);
        CHECK(feed.ring(feed.jobs()[0]) == "queue 1 of pid 100");
        CHECK(feed.device(feed.jobs()[0]) == "GPU");
        return feed.shown(feed.jobs()[0]);
    };
    constexpr Labelled queue{4, "QUEUE"};
    constexpr Labelled buffer{9, "BUFFER"};
    CHECK(ring_after({{queue, "uploads"}}) == "queue 1 of pid 100 \"uploads\"");
    CHECK(ring_after({{queue, "uploads"}, {queue, "copies"}}) == "queue 1 of pid 100 \"copies\"");
    CHECK(ring_after({{queue, "uploads"}, {queue, ""}}) == "queue 1 of pid 100");
    CHECK(ring_after({{buffer, "vertices"}}) == "queue 1 of pid 100");
}

TEST_CASE("kernel_jobs_when_queued_inside_vulkan_calls_then_name_them")
{
    JobFeeder feed;
    feed.in_namespace(model::initial_pid_namespace);
    VulkanProgram program{feed};
    const auto kernel_job = [&](std::int64_t time, std::uint64_t seqno) {
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", seqno}};
        feed.at(time)("drm_sched_job_queue", fields)("drm_sched_job_run", fields);
        feed.at(time + 1)("drm_sched_job_done", fields);
    };
    kernel_job(900, 1);
    kernel_job(1'050, 2);
    program.submit(1'000, 1'100, 1, 0);
    kernel_job(1'250, 3);
    // Two swapchains, one call.
    for (const std::int64_t end : {1'300, 1'310}) {
        feed.at(end)("lttng_gpu_vulkan:frame",
                     {{"begin_ns", 1'200}, {"function", present}, {"surface", 7}});
    }
    kernel_job(1'450, 4);
    feed.at(1'500)("lttng_gpu_vulkan:pipeline",
                   {{"begin_ns", 1'400}, {"function", Labelled{24, "vkCreateComputePipelines"}}});
    std::vector<std::string> calls;
    for (const model::Job& job : feed.jobs()) {
        calls.emplace_back(feed.api_call(job));
    }
    CHECK(calls == std::vector<std::string>{"", "vkQueueSubmit2", "vkQueuePresentKHR",
                                            "vkCreateComputePipelines"});
}

TEST_CASE("vulkan_waits_when_for_commands_then_are_waits_and_others_are_calls")
{
    JobFeeder feed;
    VulkanProgram{feed}.wait(1'000, 2'000, wait_for_fences).wait(3'000, 4'000, acquire);
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 1);
    CHECK(waits[0].begin.value() == 1'000);
    CHECK(waits[0].end.value() == 2'000);
}
