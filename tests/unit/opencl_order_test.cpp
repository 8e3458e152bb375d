// SPDX-License-Identifier: MIT
//
// OpenCL commands whose events come in another order, late, or never: rows go on, and memory is
// bounded.
#include "opencl_program.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

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
