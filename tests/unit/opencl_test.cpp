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

TEST_CASE("opencl_rows_when_reported_out_of_order_then_come_in_order_with_kernel_jobs")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    const Fields kernel_job{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", 1}};
    program.enqueue(1'000, 1'100, 1).enqueue(2'000, 2'100, 2);
    feed.at(2'500)("drm_sched_job_queue", kernel_job)("drm_sched_job_run", kernel_job);
    feed.at(2'600)("drm_sched_job_done", kernel_job);
    program.enqueue(3'000, 3'100, 3);
    program.clock(50'000'000);
    program.times(60'000'000, 3, {3'050, 3'200, 3'300, 3'400});
    CHECK(feed.so_far().empty()); // an earlier one may still come
    program.times(60'000'001, 1, {1'050, 9'000, 9'100, 9'200});
    program.times(60'000'002, 2, {2'050, 2'200, 2'300, 2'400});
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 4);
    CHECK(is_near(jobs[0].queued, 1'050));
    CHECK(is_near(jobs[1].queued, 2'050));
    CHECK(feed.driver(jobs[2]) == "amdgpu");
    CHECK(is_near(jobs[3].queued, 3'050));
    CHECK(feed.count(Anomaly::RowOutOfOrder) == 0);
}

TEST_CASE("opencl_commands_when_one_never_reports_then_memory_and_rows_go_on")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    program.enqueue(500, 600, 1); // never reported
    constexpr std::uint64_t last = 200'000;
    for (std::uint64_t number = 2; number <= last; ++number) {
        const auto at = static_cast<std::int64_t>(number) * 1'000;
        program.enqueue(at, at + 10, number);
        program.times(at + 500, number, {at + 20, at + 30, at + 40, at + 50});
    }
    CHECK(feed.so_far().size() > 100'000);
    CHECK(feed.jobs().size() == last);
    CHECK(feed.count(Anomaly::CommandNeverReported) == 1);
}

TEST_CASE("opencl_commands_when_none_reports_then_the_oldest_are_given_up")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20);
    constexpr std::uint64_t last = 100'000;
    for (std::uint64_t number = 1; number <= last; ++number) {
        const auto at = static_cast<std::int64_t>(number) * 1'000;
        program.enqueue(at, at + 10, number);
    }
    CHECK(feed.count(Anomaly::CommandForgotten) > 30'000);
    CHECK(feed.jobs().size() == last);
}

TEST_CASE("opencl_user_event_when_its_number_is_an_open_commands_then_that_stays_as_it_is")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    program.enqueue(1'000, 1'100, 1);
    feed.at(1'200)("lttng_gpu_opencl:user_event_status",
                   {{"command", 1}, {"status", std::int64_t{0}}});
    constexpr std::uint64_t last = 20'000; // more than are remembered
    for (std::uint64_t number = 2; number <= last; ++number) {
        const auto at = static_cast<std::int64_t>(number) * 1'000;
        program.enqueue(at, at + 10, number);
        program.times(at + 500, number, {at + 20, at + 30, at + 40, at + 50});
    }
    CHECK(feed.count(Anomaly::DuplicateComplete) == 1);
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == last);
    CHECK(!jobs[0].completed);
    CHECK(feed.count(Anomaly::CommandNeverReported) == 1);
}

TEST_CASE("opencl_numbers_when_they_begin_again_then_it_is_another_program")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    program.times(700, 1, {300, 400, 500, 600}); // enqueued before the trace began
    program.enqueue(1'000, 1'100, 2).enqueue(1'200, 1'300, 3);
    program.times(2'000, 2, {1'050, 1'060, 1'070, 1'080}); // the other one never ends
    program.enqueue(3'000, 3'100, 1, 70, {3}).enqueue(3'200, 3'300, 2, 70, {1});
    program.enqueue(3'400, 3'500, 3);
    for (std::int64_t number = 1; number <= 3; ++number) {
        const std::int64_t begin = 2'800 + number * 200;
        program.times(5'000 + number, static_cast<std::uint64_t>(number),
                      {begin + 10, begin + 20, begin + 30, begin + 40});
    }
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 6);
    for (std::size_t index = 3; index < jobs.size(); ++index) {
        CHECK(is_near(jobs[index].queued, 2'410 + static_cast<std::int64_t>(index) * 200));
    }
    CHECK(feed.count(Anomaly::CommandNeverReported) == 1);
    CHECK(feed.count(Anomaly::DuplicateQueue) == 0);
    CHECK(feed.count(Anomaly::DuplicateComplete) == 0);
    REQUIRE(feed.dependencies().size() == 2);
}

TEST_CASE("opencl_numbers_when_threads_return_in_another_order_then_it_is_one_program")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    program.enqueue(1'100, 1'200, 2);
    program.enqueue(1'000, 1'300, 1); // took its number first
    program.times(1'500, 1, {1'010, 1'020, 1'030, 1'040});
    program.times(1'501, 2, {1'110, 1'120, 1'130, 1'140});
    CHECK(feed.jobs().size() == 2);
    CHECK(feed.anomalies() == 0);
}

TEST_CASE("opencl_wait_list_when_others_did_much_since_then_its_producer_is_forgotten")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    program.enqueue(1'000, 1'010, 1).times(1'500, 1, {1'001, 1'002, 1'003, 1'004});
    for (std::int64_t pid = 200; pid < 300; ++pid) { // a hundred other processes
        feed.in(pid, pid, "other");
        program.device(2'000, 7).queue(2'000);
        for (std::uint64_t number = 1; number <= 200; ++number) {
            program.enqueue(2'000, 2'010, number)
                .times(2'020, number, {0, 0, 0, 0}, times_unavailable);
        }
    }
    feed.in(100, 101, "app");
    program.enqueue(3'000, 3'010, 2, 70, {1}).times(3'500, 2, {3'001, 3'002, 3'003, 3'004});
    const auto& dependencies = feed.dependencies();
    REQUIRE(dependencies.size() == 1);
    CHECK(!dependencies[0].producer_ring);
    CHECK(!dependencies[0].until);
}

TEST_CASE("opencl_wait_lists_when_all_wait_for_one_that_never_ends_then_memory_is_bounded")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100).enqueue(1'000, 1'010, 1);
    constexpr std::uint64_t last = 70'000;
    for (std::uint64_t number = 2; number <= last; ++number) {
        const auto at = static_cast<std::int64_t>(number) * 1'000;
        program.enqueue(at, at + 10, number, 70, {1});
        program.times(at + 500, number, {at + 20, at + 30, at + 40, at + 50});
    }
    CHECK(feed.dependencies().size() == 65'536);
    CHECK(feed.count(Anomaly::DependencyDropped) == last - 1 - 65'536);
}

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

TEST_CASE("opencl_wait_list_when_reported_then_is_dependencies")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    program.enqueue(1'000, 1'010, 1).enqueue(1'020, 1'030, 2);
    program.enqueue(1'040, 1'050, 4, 70, {1, 2, 3});
    feed.at(1'500)("lttng_gpu_opencl:user_event_status",
                   {{"command", 3}, {"status", std::int64_t{0}}});
    program.times(9'000, 4, {1'045, 1'600, 3'100, 3'200}); // before those it waits for
    program.times(9'001, 1, {1'005, 1'100, 1'200, 2'000});
    program.times(9'002, 2, {1'025, 1'100, 2'000, 3'000});
    std::map<std::uint64_t, model::Dependency> by_producer;
    for (const model::Dependency& dependency : feed.dependencies()) {
        by_producer[dependency.waits_for.seqno->value()] = dependency;
    }
    REQUIRE(by_producer.size() == 3);
    CHECK(by_producer[1].job.seqno->value() == 4);
    CHECK(is_near(by_producer[1].since, 1'045));
    CHECK(is_near(by_producer[1].until, 2'000));
    CHECK(is_near(by_producer[2].until, 3'000));
    CHECK(is_near(by_producer[3].until, 1'500));
    CHECK(by_producer[2].producer_ring.has_value());
    CHECK(!by_producer[3].producer_ring.has_value());
}

TEST_CASE("opencl_calls_that_wait_when_they_return_then_are_waits")
{
    constexpr std::uint64_t read_buffer = 0x11F3; // CL_COMMAND_READ_BUFFER
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    feed.at(1'500)("lttng_gpu_opencl:kernel_enqueue", {{"command", 1},
                                                       {"queue", 70},
                                                       {"begin_ns", 1'000},
                                                       {"type", read_buffer},
                                                       {"function", enqueue_read},
                                                       {"blocking", 1}});
    program.times(1'600, 1, {1'100, 1'150, 1'200, 1'400});
    feed.at(3'000)("lttng_gpu_opencl:call_begin", {{"function", finish}});
    feed.at(4'000)("lttng_gpu_opencl:call", {{"function", finish}, {"begin_ns", 3'000}});
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 2);
    CHECK(waits[0].begin.value() == 1'000);
    CHECK(waits[0].end.value() == 1'500);
    CHECK(is_near(waits[0].signaled, 1'400));
    CHECK(waits[0].ring.has_value());
    CHECK(waits[1].begin.value() == 3'000);
    CHECK(waits[1].end.value() == 4'000);
    CHECK(waits[1].ring == waits[0].ring); // the process has no other queue
}

TEST_CASE("opencl_wait_when_the_layer_tells_times_right_after_it_then_was_for_these_commands")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).queue(21, 71).clock(100);
    program.enqueue(1'000, 1'100, 1).enqueue(1'200, 1'300, 2, 71).enqueue(1'400, 1'500, 3, 71);
    feed.at(3'000)("lttng_gpu_opencl:call", {{"function", finish}, {"begin_ns", 1'600}});
    program.times(3'001, 2, {1'250, 1'300, 1'400, 1'500}, times_valid, 71);
    program.times(3'002, 3, {1'450, 1'500, 2'000, 2'900}, times_valid, 71);
    feed.at(4'000)("lttng_gpu_opencl:call", {{"function", finish}, {"begin_ns", 3'500}});
    feed.at(4'100)("lttng_gpu_opencl:call", {{"function", flush}, {"begin_ns", 4'050}});
    program.times(4'200, 1, {1'050, 1'060, 1'070, 3'900});
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 2);
    REQUIRE(waits[0].ring.has_value());
    CHECK(feed.rings().text(feed.rings().at(*waits[0].ring).name) == "queue 2 of pid 100");
    CHECK(waits[0].fence.seqno == FenceSeqno{3});
    CHECK(is_near(waits[0].signaled, 2'900));
    CHECK(!waits[1].ring.has_value()); // the times came after another call
}

TEST_CASE("opencl_wait_when_another_thread_tells_times_then_is_not_for_these_commands")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).queue(21, 71).clock(100).enqueue(1'000, 1'100, 1);
    feed.at(3'000)("lttng_gpu_opencl:call", {{"function", finish}, {"begin_ns", 1'600}});
    feed.in(100, 102, "app");
    program.times(3'001, 1, {1'050, 1'060, 1'070, 2'900});
    REQUIRE(feed.waits().size() == 1);
    CHECK(!feed.waits()[0].ring.has_value());
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
