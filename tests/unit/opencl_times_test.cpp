// SPDX-License-Identifier: MIT
//
// Times of OpenCL commands on the trace's clock: how exact they are, and how long a command lasts.
#include "opencl_program.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

TEST_CASE("opencl_device_when_described_late_as_coarse_then_the_error_says_so")
{
    constexpr std::int64_t step = 1'000'000;
    JobFeeder feed;
    Program program{feed};
    program.queue(20);
    const auto shown = [](std::int64_t time) { return time / step * step; };
    const auto add = [&](std::uint64_t number) {
        const auto at = static_cast<std::int64_t>(number) * 7'654'321;
        program.enqueue(at, at + 10, number);
        program.times(at + 600'000, number,
                      {shown(at + 20), shown(at + 100), shown(at + 200'000), shown(at + 590'000)});
    };
    for (std::uint64_t number = 1; number <= 100; ++number) {
        add(number);
    }
    feed.at(790'000'000)(
        "lttng_gpu_opencl:device",
        {{"device", 7}, {"parent", 0}, {"name", "GPU"}, {"timer_resolution", u(step)}});
    for (std::uint64_t number = 104; number <= 203; ++number) {
        add(number);
    }
    std::size_t mapped = 0;
    for (const model::Job& job : feed.jobs()) {
        const auto number = static_cast<std::int64_t>(job.fence.seqno->value());
        if (job.started && number > 103) {
            ++mapped;
            const std::int64_t truth = number * 7'654'321 + 200'000;
            CHECK(std::abs(job.started->value() - truth) <= job.clock_error->value());
        }
    }
    CHECK(mapped == 100);
}

TEST_CASE("opencl_times_when_a_trace_has_absurd_ones_then_none_overflows")
{
    constexpr std::uint64_t late = std::uint64_t{1} << 63U;
    constexpr std::uint64_t end = ~std::uint64_t{0};
    for (const std::int64_t time : {INT64_MIN + 1'000, INT64_MAX - 1'000'000, std::int64_t{0}}) {
        for (const std::uint64_t device : {std::uint64_t{1}, late, end - 100}) {
            JobFeeder feed;
            Program program{feed};
            feed.clock_offset(time);
            program.device(time).queue(time);
            for (std::uint64_t number = 1; number <= 3; ++number) {
                feed.clock_offset(time);
                const auto at = static_cast<std::int64_t>(number) * 10'000;
                feed.at(time + at + 100)("lttng_gpu_opencl:kernel_enqueue",
                                         {{"command", number},
                                          {"queue", 70},
                                          {"begin_ns", u(static_cast<std::uint64_t>(at))},
                                          {"type", ndrange}});
                feed.at(time + at +
                        5'000)("lttng_gpu_opencl:command_times",
                               {{"command", Numbers{number}},
                                {"queue", 70},
                                {"validity", times_valid},
                                {"queued", Numbers{device}},
                                {"submit", Numbers{device + 1}},
                                {"start", Numbers{device + 2}},
                                {"end", Numbers{device + 3}},
                                {"observed_ns", u(static_cast<std::uint64_t>(at + 4'000))}});
            }
            CHECK(feed.jobs().size() == 3);
        }
    }
}

TEST_CASE("opencl_execution_when_the_clocks_drift_is_not_known_then_lasts_as_long_as_on_the_device")
{
    constexpr std::int64_t length = 41'678'383;
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20);
    for (std::int64_t number = 0; number < 4; ++number) {
        const std::int64_t begin = 1'000 + number * 50'000'000;
        const auto command = static_cast<std::uint64_t>(number + 1);
        program.enqueue(begin, begin + 100, command);
        const std::int64_t started = begin + 3'000;
        program.times(begin + length + 90'000, command,
                      {begin + 1'000, begin + 2'000, started, started + length});
    }
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 4);
    for (const model::Job& job : jobs) {
        CHECK(*job.completed - *job.started == Duration{length});
        CHECK(*job.submitted - *job.queued == Duration{1'000});
    }
    // And so is what lies between two of them.
    CHECK(*jobs[3].started - *jobs[2].completed == Duration{50'000'000 - length});
}

TEST_CASE("opencl_execution_when_no_host_time_is_as_long_as_on_the_device_then_fits_into_the_call")
{
    constexpr std::int64_t length = 1'000'000'000; // 100 µs less on the trace's clock
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).enqueue(1'000, 1'100, 1);
    program.times(999'903'010, 1, {1'001, 1'002, 1'003, 1'003 + length});
    const model::Job& job = feed.jobs().at(0);
    REQUIRE(job.completed.has_value());
    CHECK(job.queued->value() >= 1'000);
    CHECK(*job.queued <= *job.started);
    CHECK(*job.completed - *job.started > Duration{length - 600'000}); // the drift limit
    CHECK(job.completed->value() <= 999'903'010);
}

TEST_CASE("opencl_stages_when_only_the_execution_fits_into_the_call_then_that_is_as_on_the_device")
{
    constexpr std::int64_t length = 1'000'000;
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).enqueue(1'000, 1'100, 1);
    // A second in the queue, of which the trace's clock has 100 µs less.
    program.times(1'000'903'010, 1, {1'001, 1'002, 1'000'000'000, 1'000'000'000 + length});
    const model::Job& job = feed.jobs().at(0);
    REQUIRE(job.completed.has_value());
    CHECK(*job.completed - *job.started == Duration{length});
    CHECK(job.queued->value() >= 1'000);
    CHECK(job.completed->value() <= 1'000'903'010);
}

TEST_CASE("opencl_moments_when_the_clock_has_an_offset_then_are_times_of_the_trace")
{
    JobFeeder feed;
    Program program{feed};
    feed.clock_offset(1'000'000'000); // own nanoseconds 1 are time 1'000'000'001
    program.device(10);
    feed.clock_offset(1'000'000'000);
    program.queue(20);
    feed.at(1'000'001'500)("lttng_gpu_opencl:kernel_enqueue",
                           {{"command", 1}, {"queue", 70}, {"begin_ns", 1'000}, {"type", ndrange}});
    feed.at(1'000'009'000)("lttng_gpu_opencl:command_times", {{"command", Numbers{1}},
                                                              {"queue", 70},
                                                              {"validity", times_valid},
                                                              {"queued", Numbers{77'000}},
                                                              {"submit", Numbers{78'000}},
                                                              {"start", Numbers{79'000}},
                                                              {"end", Numbers{83'000}},
                                                              {"observed_ns", 8'000}});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 1);
    REQUIRE(jobs[0].queued);
    CHECK(jobs[0].queued->value() >= 1'000'001'000);
    CHECK(jobs[0].completed->value() <= 1'000'008'000);
    CHECK(jobs[0].clock_error->value() >= 500);
    CHECK(jobs[0].clock_error->value() <= 520);
}
