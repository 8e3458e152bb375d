// SPDX-License-Identifier: MIT
//
// OpenCL commands as jobs, from the events that the layer records.
#include "cli/commands.hpp"
#include "ctf_writer.hpp"
#include "job_feeder.hpp"
#include "trace/open_traces.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace lttng_gpu;
using namespace lttng_gpu::test;
using nlohmann::json;

namespace {

constexpr std::uint64_t ndrange = 0x11F0;
constexpr std::uint64_t read_buffer = 0x11F3;
using Numbers = std::vector<std::uint64_t>;
constexpr std::uint64_t device_zero = 5'000'000'000'000; // what the device shows at trace time 0

/// One process with one queue on one device whose clock runs as the trace's does.
class Program {
public:
    explicit Program(JobFeeder& feeder) : x_feed{feeder}
    {
        feeder.clock_offset(0).in(100, 101, "app");
    }
    Program& device(std::int64_t time, std::uint64_t handle = 7, const char* name = "GPU",
                    std::uint64_t parent = 0)
    {
        x_feed.at(time)(
            "lttng_gpu_opencl:device",
            {{"device", handle}, {"parent", parent}, {"name", name}, {"timer_resolution", 1}});
        return *this;
    }
    Program& queue(std::int64_t time, std::uint64_t handle = 70, std::uint64_t of = 7,
                   std::uint64_t profiling = 2)
    {
        x_feed.at(time)("lttng_gpu_opencl:queue", {{"queue", handle},
                                                   {"context", 1},
                                                   {"device", of},
                                                   {"properties", 2},
                                                   {"profiling", profiling}});
        return *this;
    }
    Program& enqueue(std::int64_t begin, std::int64_t end, std::uint64_t command,
                     std::uint64_t handle = 70, const std::vector<std::uint64_t>& waits_for = {})
    {
        x_feed.at(end)("lttng_gpu_opencl:kernel_enqueue", {{"command", command},
                                                           {"queue", handle},
                                                           {"begin_ns", begin},
                                                           {"type", ndrange},
                                                           {"blocking", 0},
                                                           {"waits_for", waits_for},
                                                           {"name", "sum"}});
        return *this;
    }
    Program& times(std::int64_t seen, std::uint64_t command, std::array<std::int64_t, 4> stages,
                   std::uint64_t validity = 0, std::uint64_t handle = 70)
    {
        const auto on_device = [](std::int64_t time) {
            return Numbers{device_zero + static_cast<std::uint64_t>(time)};
        };
        x_feed.at(seen)("lttng_gpu_opencl:command_times", {{"command", Numbers{command}},
                                                           {"queue", handle},
                                                           {"type", Numbers{ndrange}},
                                                           {"status", std::int64_t{0}},
                                                           {"validity", validity},
                                                           {"queued", on_device(stages[0])},
                                                           {"submit", on_device(stages[1])},
                                                           {"start", on_device(stages[2])},
                                                           {"end", on_device(stages[3])},
                                                           {"observed_ns", seen}});
        return *this;
    }
    /// Narrows the clock to a nanosecond or two.
    Program& clock(std::int64_t time)
    {
        x_feed.at(time)("lttng_gpu_opencl:device_clock",
                        {{"device", 7},
                         {"device_time", device_zero + static_cast<std::uint64_t>(time)},
                         {"before_ns", time},
                         {"after_ns", time}});
        return *this;
    }

private:
    JobFeeder& x_feed;
};

/// Jobs of the kernel's driver, queued by any thread of the program.
class KernelJobs {
public:
    explicit KernelJobs(JobFeeder& feeder) : x_feed{feeder} {}
    void operator()(std::int64_t time, std::int64_t tid, const char* comm, std::uint64_t seqno)
    {
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", seqno}};
        x_feed.in(100, tid, comm);
        x_feed.at(time)("drm_sched_job_queue", fields)("drm_sched_job_run", fields);
        x_feed.at(time + 1)("drm_sched_job_done", fields);
        x_feed.in(100, 101, "app");
    }
    /// Which call each of them names, by seqno.
    std::map<std::uint64_t, std::string> calls()
    {
        std::map<std::uint64_t, std::string> calls;
        for (const model::Job& job : x_feed.jobs()) {
            if (x_feed.driver(job) == "amdgpu") {
                calls[job.fence.seqno->value()] = x_feed.api_call(job);
            }
        }
        return calls;
    }

private:
    JobFeeder& x_feed;
};

bool is_near(const std::optional<Timestamp>& time, std::int64_t expected)
{
    return time && std::abs(time->value() - expected) <= 2;
}

} // namespace

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
                                                          {"validity", 0},
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
    for (std::uint64_t validity = 1; validity <= 3; ++validity) {
        const auto at = static_cast<std::int64_t>(validity) * 1'000;
        program.enqueue(at, at + 100, validity);
        program.times(at + 500, validity, {at + 10, at + 20, at + 30, at + 40}, validity);
    }
    const auto& jobs = feed.jobs();
    REQUIRE(jobs.size() == 3);
    for (const model::Job& job : jobs) {
        CHECK(!job.queued);
        CHECK(!job.submitted);
        CHECK(!job.started);
        CHECK(!job.completed);
        CHECK(job.started_basis == model::Basis::Unknown);
        CHECK(status_of(job) == model::JobStatus::NoQueue);
    }
    CHECK(feed.count(Anomaly::CommandTimesUnavailable) == 1);
    CHECK(feed.count(Anomaly::CommandTimesDisordered) == 1);
    CHECK(feed.count(Anomaly::CommandTimesImplausible) == 1);
}

TEST_CASE("opencl_queue_when_without_profiling_then_commands_are_untimed_at_once")
{
    JobFeeder feed;
    Program{feed}.device(10).queue(20, 70, 7, 0).enqueue(1'000, 1'100, 1).enqueue(2'000, 2'100, 2);
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

TEST_CASE("kernel_job_when_queued_inside_an_opencl_call_then_names_it")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    KernelJobs kernel_job{feed};
    kernel_job(900, 101, "app", 1);   // before the call
    kernel_job(1'050, 101, "app", 2); // in clEnqueueNDRangeKernel
    kernel_job(1'060, 102, "app", 3); // meanwhile, in another thread
    program.enqueue(1'000, 1'100, 1);
    kernel_job(1'300, 103, "app:cs0", 4); // a helper, one command under way
    kernel_job(1'450, 101, "app", 5);     // in clFlush
    feed.at(1'500)("lttng_gpu_opencl:call", {{"function", 46}, {"begin_ns", 1'400}});
    program.enqueue(1'600, 1'700, 2);
    kernel_job(1'800, 103, "app:cs0", 6); // a helper, two commands under way
    program.times(2'000, 1, {1'050, 1'100, 1'200, 1'900});
    program.times(2'001, 2, {1'650, 1'660, 1'700, 1'900});
    auto calls = kernel_job.calls();
    CHECK(calls[1].empty());
    CHECK(calls[2] == "clEnqueueNDRangeKernel(sum)");
    CHECK(calls[3].empty());
    CHECK(calls[4] == "clEnqueueNDRangeKernel(sum)");
    CHECK(calls[5] == "clFlush");
    CHECK(calls[6].empty());
    CHECK(feed.count(Anomaly::ApiCallAmbiguous) == 1);
}

namespace {

/// Quick jobs of a kernel driver.
void add_kernel_jobs(JobFeeder& feed, std::int64_t begin, std::uint64_t first, std::uint64_t count,
                     std::int64_t every = 1'000)
{
    for (std::uint64_t seqno = first; seqno < first + count; ++seqno) {
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", seqno}};
        const std::int64_t time = begin + static_cast<std::int64_t>(seqno - first) * every;
        feed.at(time)("drm_sched_job_queue", fields)("drm_sched_job_run", fields);
        feed.at(time + 500)("drm_sched_job_done", fields);
    }
}

} // namespace

TEST_CASE("kernel_jobs_when_the_call_takes_long_then_name_it_all_the_same")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).enqueue(1'000, 1'100, 1);
    program.times(2'000, 1, {1'010, 1'020, 1'030, 1'040});
    feed.in(100, 101, "app");
    add_kernel_jobs(feed, 1'000'000, 1, 1'000, 100'000); // while clFlush takes 100 ms
    feed.at(101'500'000)("lttng_gpu_opencl:call", {{"function", 46}, {"begin_ns", 900'000}});
    feed.in(100, 102, "app");
    add_kernel_jobs(feed, 102'000'000, 1'001, 20'000, 100'000);
    const auto calls = KernelJobs{feed}.calls();
    const auto named = std::ranges::count_if(
        calls, [](const auto& call) { return call.first <= 1'000 && call.second == "clFlush"; });
    CHECK(named == 1'000);
}

TEST_CASE("kernel_jobs_when_opencl_falls_silent_then_their_rows_go_on")
{
    JobFeeder feed;
    Program{feed}
        .device(10)
        .queue(20)
        .enqueue(1'000, 1'100, 1)
        .times(2'000, 1, {1'010, 1'020, 1'030, 1'040});
    add_kernel_jobs(feed, 3'000, 1, 20'000, 100'000); // 2 s
    CHECK(feed.so_far().size() > 9'000);              // all but the latest second
    CHECK(feed.so_far().size() < 11'000);
    CHECK(feed.count(Anomaly::RowOutOfOrder) == 0);
}

TEST_CASE("kernel_jobs_when_a_command_or_a_call_never_ends_then_their_rows_wait_some_seconds")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100).enqueue(1'000, 1'100, 1);
    feed.at(1'200)("lttng_gpu_opencl:call_begin", {{"function", 47}}); // killed there
    add_kernel_jobs(feed, 3'000, 1, 900, 10'000'000);                  // 9 s
    CHECK(feed.so_far().empty());
    add_kernel_jobs(feed, 9'000'003'000, 901, 300, 10'000'000); // 3 s
    CHECK(feed.so_far().size() > 100);
    CHECK(feed.so_far().size() < 300);
    program.times(12'000'003'000, 1, {1'010, 1'020, 1'030, 1'040});
    CHECK(feed.count(Anomaly::RowOutOfOrder) == 1); // late, not lost
    CHECK(feed.jobs().size() == 1'201);
}

TEST_CASE("kernel_job_when_calls_of_its_thread_were_dropped_then_names_none")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    program.enqueue(1'000, 1'100, 1); // never reported: rows wait
    feed.at(1'500)("lttng_gpu_opencl:call", {{"function", 46}, {"begin_ns", 1'400}});
    const auto kernel_job = [&](std::int64_t time, std::int64_t tid, const char* comm,
                                std::uint64_t seqno) {
        feed.in(100, tid, comm);
        add_kernel_jobs(feed, time, seqno, 1);
        feed.in(100, 101, "app");
    };
    kernel_job(2'050, 101, "app", 1);
    kernel_job(2'060, 103, "app:cs0", 2);
    for (std::uint64_t number = 2; number <= 6'000; ++number) {
        const auto at = static_cast<std::int64_t>(number) * 1'000;
        program.enqueue(at, at + 100, number);
        program.times(at + 200, number, {at + 20, at + 30, at + 40, at + 50});
    }
    kernel_job(6'001'050, 101, "app", 3);
    program.enqueue(6'001'000, 6'001'100, 6'001);
    std::map<std::uint64_t, std::string> calls;
    for (const model::Job& job : feed.jobs()) {
        if (feed.driver(job) == "amdgpu") {
            calls[job.fence.seqno->value()] = feed.api_call(job);
        }
    }
    CHECK(calls[1].empty());
    CHECK(calls[2].empty());
    CHECK(calls[3] == "clEnqueueNDRangeKernel(sum)");
    CHECK(feed.count(Anomaly::ApiCallAmbiguous) == 2);
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
            program.enqueue(2'000, 2'010, number).times(2'020, number, {0, 0, 0, 0}, 1);
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
                                {"validity", 0},
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

TEST_CASE("kernel_job_of_a_helper_when_commands_have_no_times_then_is_counted")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).queue(21, 71, 7, 0).clock(100);
    KernelJobs kernel_job{feed};
    kernel_job(900, 103, "app:cs0", 1); // before any command
    program.enqueue(1'000, 1'100, 1);
    kernel_job(1'300, 103, "app:cs0", 2);
    program.times(2'000, 1, {1'050, 1'100, 1'200, 1'900}, 1); // refused, but it has ended
    program.enqueue(3'000, 3'100, 2, 71);                     // in the queue without times
    kernel_job(3'200, 103, "app:cs0", 3);
    kernel_job(3'300, 102, "app", 4); // no helper
    program.enqueue(4'000, 4'100, 3);
    kernel_job(4'200, 103, "app:cs0", 5); // of that one, or still of the one without times
    program.times(5'000, 3, {4'050, 4'100, 4'200, 4'900});
    auto calls = kernel_job.calls();
    CHECK(calls.size() == 5);
    CHECK(calls[1].empty());
    CHECK(calls[2] == "clEnqueueNDRangeKernel(sum)");
    CHECK(calls[3].empty());
    CHECK(calls[4].empty());
    CHECK(calls[5].empty());
    CHECK(feed.count(Anomaly::ApiCallUntimed) == 1);
    CHECK(feed.count(Anomaly::ApiCallAmbiguous) == 1);
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
                 {{"object", 70}, {"kind", 2}, {"result", std::int64_t{0}}});
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
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    feed.at(1'500)("lttng_gpu_opencl:kernel_enqueue", {{"command", 1},
                                                       {"queue", 70},
                                                       {"begin_ns", 1'000},
                                                       {"type", read_buffer},
                                                       {"blocking", 1}});
    program.times(1'600, 1, {1'100, 1'150, 1'200, 1'400});
    feed.at(3'000)("lttng_gpu_opencl:call_begin", {{"function", 47}});
    feed.at(4'000)("lttng_gpu_opencl:call", {{"function", 47}, {"begin_ns", 3'000}});
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 2);
    CHECK(waits[0].begin.value() == 1'000);
    CHECK(waits[0].end.value() == 1'500);
    CHECK(is_near(waits[0].signaled, 1'400));
    CHECK(waits[0].ring.has_value());
    CHECK(waits[1].begin.value() == 3'000);
    CHECK(waits[1].end.value() == 4'000);
    CHECK(!waits[1].ring.has_value());
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
                                                              {"validity", 0},
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

namespace {

constexpr std::int64_t origin = 1'700'000'000'000'000'000; // of the clock of the written trace

/// A process that enqueues one command a millisecond; the device clock is 2 s behind
/// and 100 ppm slow. Gives what `queued` was in truth.
std::vector<std::int64_t> write_commands(const std::filesystem::path& directory, std::size_t count)
{
    CtfWriter writer{directory, 1, true, origin};
    const auto on_device = [](std::int64_t time) {
        return Numbers{2'000'000'000 + static_cast<std::uint64_t>(time - time / 10'000)};
    };
    const auto add = [&](std::int64_t time, const char* name, std::vector<CtfField> fields) {
        writer.add(0, {static_cast<std::uint64_t>(time), name, std::move(fields), 100, 101, "app"});
    };
    add(1, "lttng_gpu_opencl:device",
        {{"device", std::uint64_t{7}},
         {"parent", std::uint64_t{0}},
         {"name", "GPU"},
         {"timer_resolution", std::uint64_t{1}}});
    add(2, "lttng_gpu_opencl:queue",
        {{"queue", std::uint64_t{70}},
         {"context", std::uint64_t{1}},
         {"device", std::uint64_t{7}},
         {"properties", std::uint64_t{2}},
         {"profiling", std::uint64_t{1}}});
    std::vector<std::int64_t> truth;
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = static_cast<std::int64_t>(i + 1) * 1'000'000;
        const auto slack = static_cast<std::int64_t>((i * 37) % 50) * 1'000 + 100;
        truth.push_back(begin + slack);
        add(begin + 100'000, "lttng_gpu_opencl:kernel_enqueue",
            {{"command", std::uint64_t{i + 1}},
             {"queue", std::uint64_t{70}},
             {"begin_ns", static_cast<std::uint64_t>(begin)},
             {"type", ndrange},
             {"blocking", std::uint64_t{0}},
             {"waits_for", i == 0 ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{i}},
             {"name", "sum"}});
        add(begin + 600'000, "lttng_gpu_opencl:command_times",
            {{"command", Numbers{i + 1}},
             {"queue", std::uint64_t{70}},
             {"type", Numbers{ndrange}},
             {"status", std::int64_t{0}},
             {"validity", std::uint64_t{0}},
             {"queued", on_device(truth.back())},
             {"submit", on_device(truth.back() + 10'000)},
             {"start", on_device(truth.back() + 20'000)},
             {"end", on_device(truth.back() + 30'000)},
             {"observed_ns", static_cast<std::uint64_t>(truth.back() + 30'000 + slack)}});
    }
    return truth;
}

json run_json(std::vector<std::string> arguments, const std::filesystem::path& file)
{
    arguments.insert(arguments.begin(), "lttng-gpu");
    arguments.insert(arguments.end(), {"--format", "json", "-o", file.string()});
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) {
        argv.push_back(argument.c_str());
    }
    std::ostringstream help;
    std::ostringstream errors;
    CHECK(cli::run_command_line(static_cast<int>(argv.size()), argv.data(), help, errors) == 0);
    CHECK(errors.str().empty());
    std::ifstream stream{file};
    return json::parse(stream);
}

} // namespace

TEST_CASE("opencl_trace_when_read_from_files_then_the_first_time_is_as_exact_as_the_last")
{
    const TemporaryDirectory directory;
    const auto trace = directory.path() / "trace";
    const auto truth = write_commands(trace, 200);
    for (const std::string reader : {"automatic", "babeltrace2"}) {
        const json jobs =
            run_json({"jobs", "--reader", reader, trace.string()}, directory.path() / "jobs");
        REQUIRE(jobs.size() == truth.size());
        for (std::size_t i = 0; i < truth.size(); ++i) {
            const std::int64_t error = jobs[i]["clock_error_ns"];
            const std::int64_t queued = jobs[i]["queued_ns"];
            CHECK(std::abs(queued - origin - truth[i]) <= error);
            CHECK(error < 1'000); // one command alone leaves some ten thousand
            CHECK(jobs[i]["api_call"] == "clEnqueueNDRangeKernel(sum)");
        }
    }
    const json report = run_json({"report", trace.string()}, directory.path() / "report");
    REQUIRE(report["device_clocks"].size() == 1);
    const json& clock = report["device_clocks"][0];
    CHECK(clock["device"] == "GPU");
    CHECK(clock["pid"] == 100);
    CHECK(clock["commands_mapped"] == 200);
    CHECK(clock["bounds"] == 400);
    CHECK(std::abs(clock["drift_ppm"].get<double>() - 100) < 1);
    CHECK(clock["error_max_ns"] < 1'000);
    CHECK(report["queues"][0]["dependencies"][0]["count"] == 199);
}

TEST_CASE("lists_of_numbers_when_read_then_are_the_same_with_both_readers")
{
    const TemporaryDirectory directory;
    const std::vector<std::uint64_t> numbers{1, 0, ~std::uint64_t{0}, 42};
    {
        CtfWriter writer{directory.path() / "trace", 1};
        writer.add(0, {1'000,
                       "listed",
                       {{"before", std::uint64_t{5}},
                        {"empty", std::vector<std::uint64_t>{}},
                        {"numbers", numbers},
                        {"after", "text"}}});
    }
    for (const auto reader : {trace::Reader::Automatic, trace::Reader::Babeltrace2}) {
        trace::ReadOptions options;
        options.reader = reader;
        const auto source = trace::open_traces(
            {directory.path() / "trace"},
            {{"listed", {"after", "numbers", "empty", "before"}, false}}, options);
        REQUIRE(source);
        struct Consumer final : trace::EventConsumer {
            void on_event(const trace::RawEvent& event) override
            {
                ++count;
                CHECK(event.fields[0].as_text() == "text");
                CHECK(event.fields[3].as_unsigned() == 5);
                CHECK(event.fields[2].kind() == trace::FieldValue::Kind::Numbers);
                CHECK(event.fields[2].as_numbers().size() == 0);
                const trace::NumberList list = event.fields[1].as_numbers();
                for (std::size_t index = 0; index < list.size(); ++index) {
                    numbers.push_back(list[index]);
                }
            }
            void on_loss(const trace::Loss&) override {}
            int count = 0;
            std::vector<std::uint64_t> numbers;
        } consumer;
        while ((*source)->read_some(consumer).value_or(false)) {
        }
        CHECK(consumer.count == 1);
        CHECK(consumer.numbers == numbers);
    }
}
