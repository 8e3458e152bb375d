// SPDX-License-Identifier: MIT
//
// OpenCL commands as jobs, from the events that the layer records.
#include "opencl_program.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

TEST_CASE("opencl_command_when_reported_then_is_a_job_with_mapped_times")
{
    JobFeeder feed;
    Program{feed}
        .device(10)
        .queue(20)
        .clock(100)
        .enqueue(1'000, 1'500, 1)
        .clock(5'000'000)
        .times(6'000'000, 1, {1'200, 2'000, 3'000, 4'000});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    const model::Job& job = jobs[0];
    CHECK(is_near(job.queued, 1'200));
    CHECK(is_near(job.submitted, 2'000));
    CHECK(is_near(job.started, 3'000));
    CHECK(is_near(job.completed, 4'000));
    CHECK(job.observed->value() == 6'000'000);
    CHECK(job.started_basis == model::Basis::Observed);
    CHECK(job.completed_basis == model::Basis::Observed);
    REQUIRE(job.clock_error);
    CHECK(job.clock_error->value() <= 3);
    CHECK(feed.device(job) == "GPU");
    CHECK(feed.ring(job) == "queue 1 of pid 100");
    CHECK(feed.driver(job) == "opencl");
    CHECK(feed.api_call(job) == "clEnqueueNDRangeKernel(sum)");
    CHECK(job.actor.pid->value() == 100);
    CHECK(job.actor.tid->value() == 101);
    CHECK(feed.comm(job) == "app");
    CHECK(job.fence.seqno->value() == 1);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("opencl_commands_when_one_event_has_times_of_two_then_both_are_jobs")
{
    JobFeeder feed;
    Program{feed}
        .device(10)
        .queue(20)
        .clock(100)
        .enqueue(1'000, 1'500, 1)
        .enqueue(2'000, 2'500, 2)
        .clock(5'000'000);
    const auto on_device = [](std::uint64_t first, std::uint64_t second) {
        return Numbers{device_zero + first, device_zero + second};
    };
    feed.at(6'000'000)("lttng_gpu_opencl:command_times", {{"command", Numbers{1, 2}},
                                                          {"queue", 70},
                                                          {"type", Numbers{ndrange, ndrange}},
                                                          {"status", std::int64_t{0}},
                                                          {"validity", times_valid},
                                                          {"queued", on_device(1'200, 2'200)},
                                                          {"submit", on_device(2'300, 2'600)},
                                                          {"start", on_device(3'000, 4'000)},
                                                          {"end", on_device(4'000, 5'000)},
                                                          {"observed_ns", 6'000'000}});
    // Arrays of different lengths say nothing.
    feed.at(6'000'100)("lttng_gpu_opencl:command_times", {{"command", Numbers{3, 4}},
                                                          {"queue", 70},
                                                          {"queued", Numbers{1}},
                                                          {"submit", Numbers{1, 2}},
                                                          {"start", Numbers{1, 2}},
                                                          {"end", Numbers{1, 2}}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(is_near(jobs[0].queued, 1'200));
    CHECK(is_near(jobs[0].completed, 4'000));
    CHECK(is_near(jobs[1].queued, 2'200));
    CHECK(is_near(jobs[1].completed, 5'000));
    CHECK(feed.count(Anomaly::EventWithoutIdentity) == 1);
}

TEST_CASE("opencl_times_when_not_valid_then_stay_unknown_and_are_counted")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    std::uint64_t command = 0;
    for (const Labelled& validity : {times_unavailable, times_disordered, times_implausible}) {
        const auto at = static_cast<std::int64_t>(++command) * 1'000;
        program.enqueue(at, at + 100, command);
        program.times(at + 500, command, {at + 10, at + 20, at + 30, at + 40}, validity);
    }
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    for (const model::Job& job : jobs) {
        CHECK(!job.queued);
        CHECK(!job.submitted);
        CHECK(!job.started);
        CHECK(!job.completed);
        CHECK(job.started_basis == model::Basis::Unknown);
        CHECK(status_of(job) == model::JobStatus::NoTimes);
    }
    CHECK(feed.count(Anomaly::CommandTimesUnavailable) == 1);
    CHECK(feed.count(Anomaly::CommandTimesDisordered) == 1);
    CHECK(feed.count(Anomaly::CommandTimesImplausible) == 1);
}

TEST_CASE("opencl_queue_when_without_profiling_then_commands_are_untimed_at_once")
{
    JobFeeder feed;
    Program{feed}
        .device(10)
        .queue(20, 70, 7, profiling_off)
        .enqueue(1'000, 1'100, 1)
        .enqueue(2'000, 2'100, 2);
    CHECK(feed.jobs().size() == 2);
    CHECK(feed.count(Anomaly::CommandUntimed) == 2);
}

TEST_CASE("opencl_commands_when_untimed_or_never_reported_then_are_jobs_without_times")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).queue(21, 71);
    program.enqueue(1'000, 1'100, 1).enqueue(2'000, 2'100, 2).enqueue(3'000, 3'100, 3, 71);
    feed.at(5'000)("lttng_gpu_opencl:commands_untimed", {{"queue", 70}, {"count", 1}});
    CHECK(feed.count(Anomaly::CommandUntimed) == 0); // which of the two is not told
    feed.at(5'100)("lttng_gpu_opencl:commands_untimed", {{"queue", 70}, {"count", 1}});
    CHECK(feed.count(Anomaly::CommandUntimed) == 2);
    CHECK(feed.jobs().size() == 3);
    CHECK(feed.count(Anomaly::CommandNeverReported) == 1);
}

TEST_CASE("opencl_objects_when_alike_or_used_again_then_have_names_of_their_own")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10, 7).device(11, 8).device(12, 9, "GPU", 7);
    program.queue(20, 70, 7).queue(21, 71, 8).queue(22, 72, 9);
    program.enqueue(100, 110, 1, 70).enqueue(120, 130, 2, 71).enqueue(140, 150, 3, 72);
    program.queue(160, 70, 7); // described again: the same
    program.enqueue(170, 180, 4, 70);
    feed.at(190)("lttng_gpu_opencl:object_release",
                 {{"object", 70}, {"kind", kind_queue}, {"result", std::int64_t{0}}});
    program.queue(200, 70, 7); // another one
    program.enqueue(210, 220, 5, 70);
    feed.in(200, 201, "other");
    program.device(230).queue(231).enqueue(240, 250, 1);
    std::vector<std::string> rings;
    for (const model::Job& job : feed.jobs()) {
        rings.push_back(feed.device(job) + "/" + feed.ring(job));
    }
    CHECK(rings == std::vector<std::string>{"GPU/queue 1 of pid 100", "GPU (2)/queue 2 of pid 100",
                                            "GPU, sub-device 1/queue 3 of pid 100",
                                            "GPU/queue 1 of pid 100", "GPU/queue 4 of pid 100",
                                            "GPU/queue 1 of pid 200"});
}

TEST_CASE("opencl_function_when_the_trace_does_not_name_it_then_its_command_says_its_type")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    feed.at(1'500)("lttng_gpu_opencl:command_enqueue",
                   {{"command", 1}, {"queue", 70}, {"begin_ns", 1'000}, {"type", 0x11F2}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    CHECK(feed.api_call(jobs[0]) == "OpenCL command 0x11f2");
}

TEST_CASE("opencl_command_buffer_when_run_then_is_a_job_that_says_how_many_commands_it_has")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    std::uint64_t command = 0;
    for (const std::uint64_t commands : {12, 0}) {
        const auto at = static_cast<std::int64_t>(++command) * 10'000;
        feed.at(at + 100)("lttng_gpu_opencl:command_buffer_enqueue",
                          {{"command", command},
                           {"queue", 70},
                           {"begin_ns", at},
                           {"type", 0x12A8},
                           {"function", Labelled{62, "clEnqueueCommandBufferKHR"}},
                           {"buffer", 900},
                           {"commands", commands}});
    }
    program.times(19'000, 1, {10'050, 10'200, 11'000, 15'000});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 2);
    CHECK(feed.api_call(jobs[0]) == "clEnqueueCommandBufferKHR(12 commands)");
    CHECK(jobs[0].started);
    CHECK(feed.api_call(jobs[1]) == "clEnqueueCommandBufferKHR");
}

TEST_CASE("opencl_function_when_programs_number_it_differently_then_each_has_its_name")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    std::uint64_t command = 0;
    for (const char* name : {"clEnqueueMarker", "clEnqueueBarrier", "clEnqueueMarker"}) {
        const auto at = static_cast<std::int64_t>(++command) * 1'000;
        feed.at(at + 100)("lttng_gpu_opencl:command_enqueue", {{"command", command},
                                                               {"queue", 70},
                                                               {"begin_ns", at},
                                                               {"type", 0x11FE},
                                                               {"function", Labelled{62, name}}});
    }
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    CHECK(feed.api_call(jobs[0]) == "clEnqueueMarker");
    CHECK(feed.api_call(jobs[1]) == "clEnqueueBarrier");
    CHECK(feed.api_call(jobs[2]) == "clEnqueueMarker");
}
