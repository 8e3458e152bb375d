// SPDX-License-Identifier: MIT
//
// Jobs of the kernel and the OpenCL calls in which they were made.
#include "opencl_program.hpp"
#include "system/actor_origins.hpp"

#include <random>

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

/// Jobs of the kernel's driver, queued by any thread of the program.
class KernelJobs {
public:
    explicit KernelJobs(JobFeeder& feeder) : m_feed{feeder} {}
    void operator()(std::int64_t time, std::int64_t tid, const char* comm, std::uint64_t seqno)
    {
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", seqno}};
        m_feed.in(100, tid, comm);
        m_feed.at(time)("drm_sched_job_queue", fields)("drm_sched_job_run", fields);
        m_feed.at(time + 1)("drm_sched_job_done", fields);
        m_feed.in(100, 101, "app");
    }
    /// Which call each of them names, by seqno.
    std::map<std::uint64_t, std::string> calls()
    {
        std::map<std::uint64_t, std::string> calls;
        for (const model::Job& job : m_feed.jobs()) {
            if (m_feed.driver(job) == "amdgpu") {
                calls[job.fence.seqno->value()] = m_feed.api_call(job);
            }
        }
        return calls;
    }

private:
    JobFeeder& m_feed;
};

} // namespace

TEST_CASE("kernel_job_when_queued_inside_an_opencl_call_then_names_it")
{
    JobFeeder feed{estimated_calls};
    feed.in_namespace(model::initial_pid_namespace);
    Program program{feed};
    program.device(10).queue(20).clock(100);
    KernelJobs kernel_job{feed};
    kernel_job(900, 101, "app", 1);   // before the call
    kernel_job(1'050, 101, "app", 2); // in clEnqueueNDRangeKernel
    kernel_job(1'060, 102, "app", 3); // meanwhile, in another thread
    program.enqueue(1'000, 1'100, 1);
    kernel_job(1'300, 103, "app:cs0", 4); // a helper, one command under way
    kernel_job(1'450, 101, "app", 5);     // in clFlush
    feed.at(1'500)("lttng_gpu_opencl:call", {{"function", flush}, {"begin_ns", 1'400}});
    program.enqueue(1'600, 1'700, 2);
    kernel_job(1'800, 103, "app:cs0", 6); // a helper, two commands under way
    program.times(2'000, 1, {1'050, 1'100, 1'200, 1'900});
    program.times(2'001, 2, {1'650, 1'660, 1'700, 1'900});
    kernel_job(2'150, 101, "app", 7); // in clReleaseMemObject
    feed.at(2'200)(
        "lttng_gpu_opencl:object_release",
        {{"function", release_memory}, {"begin_ns", 2'100}, {"object", 5}, {"kind", kind_memory}});
    auto calls = kernel_job.calls();
    CHECK(calls[1].empty());
    CHECK(calls[2] == "clEnqueueNDRangeKernel(sum)");
    CHECK(calls[3].empty());
    CHECK(calls[4] == "clEnqueueNDRangeKernel(sum)");
    CHECK(calls[5] == "clFlush");
    CHECK(calls[6] == "clEnqueueNDRangeKernel(sum)"); // in order: of the second one
    CHECK(calls[7] == "clReleaseMemObject");
    CHECK(feed.count(Anomaly::ApiCallAmbiguous) == 0);
}

namespace {

/// Four commands that a helper makes three jobs of. Which of them the second job has, the order
/// does not tell.
void four_commands_in_three_jobs(JobFeeder& feed, bool has_times)
{
    Program program{feed};
    program.device(10).queue(20).clock(100);
    for (std::int64_t command = 1; command <= 4; ++command) {
        program.enqueue(1'000'000 + 20'000 * command, 1'010'000 + 20'000 * command,
                        static_cast<std::uint64_t>(command));
    }
    const auto job = [&](std::uint64_t seqno, std::int64_t queued, std::int64_t done) {
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", seqno}};
        feed.in(100, 103, "app:cs0").at(queued)("drm_sched_job_queue", fields);
        feed.at(queued + 1)("drm_sched_job_run", fields);
        feed.at(done)("drm_sched_job_done", fields);
        feed.in(100, 101, "app");
    };
    job(1, 1'100'000, 1'300'000);
    job(2, 1'400'000, 1'700'000);
    job(3, 1'800'000, 1'900'000);
    const auto times = [&](std::uint64_t command, std::int64_t started, std::int64_t completed) {
        program.times(2'000'000, command, {1'090'000, 1'095'000, started, completed},
                      has_times ? times_valid : times_unavailable);
    };
    times(1, 1'110'000, 1'290'000);
    times(2, 1'410'000, 1'550'000);
    times(3, 1'560'000, 1'690'000);
    times(4, 1'810'000, 1'890'000);
}

} // namespace

TEST_CASE(
    "helper_job_when_its_place_in_the_order_is_in_doubt_then_the_devices_times_tell_its_calls")
{
    for (const bool has_times : {true, false}) {
        JobFeeder feed{estimated_calls};
        feed.in_namespace(model::initial_pid_namespace);
        four_commands_in_three_jobs(feed, has_times);
        std::vector<model::Job> jobs;
        std::ranges::copy_if(feed.jobs(), std::back_inserter(jobs),
                             [&](const model::Job& job) { return feed.driver(job) == "amdgpu"; });
        REQUIRE(jobs.size() == 3);
        CHECK(jobs[1].api_call_basis ==
              (has_times ? model::CallBasis::Estimated : model::CallBasis::Unknown));
        CHECK(jobs[1].api_calls == (has_times ? 2 : 0));
        CHECK(feed.count(Anomaly::ApiCallHelperInDoubt) == (has_times ? 0 : 1));
    }
}

TEST_CASE("helper_jobs_when_the_program_never_waits_then_their_commands_are_aligned_with_them")
{
    // All commands are enqueued before the first job, and seen complete long after the last one. A
    // helper makes one job of some of them, and of others one of two.
    JobFeeder feed{estimated_calls};
    feed.in_namespace(model::initial_pid_namespace);
    Program program{feed};
    program.device(10).queue(20);
    constexpr std::uint64_t commands = 300;
    for (std::uint64_t command = 1; command <= commands; ++command) {
        const auto time = static_cast<std::int64_t>(1'000'000 + 1'000 * command);
        program.enqueue(time, time + 500, command);
    }
    std::mt19937 random{1};
    const auto any = [&](int most) { return std::uniform_int_distribution<>{1, most}(random); };
    std::int64_t time = 2'000'000;
    std::vector<std::array<std::int64_t, 2>> executions;
    std::size_t jobs = 0;
    while (executions.size() < commands) {
        const Fields fields{{"name", "gfx"},
                            {"dev", "0000:01:00.0"},
                            {"driver", "amdgpu"},
                            {"fence_context", 9},
                            {"fence_seqno", ++jobs}};
        feed.in(100, 103, "app:cs0").at(time)("drm_sched_job_queue", fields);
        feed.at(time + 1)("drm_sched_job_run", fields);
        for (int part = any(2); part > 0 && executions.size() < commands; --part) {
            executions.push_back({time, time + 10'000 + any(80'000)});
            time = executions.back()[1];
        }
        feed.at(time + any(1'000))("drm_sched_job_done", fields).in(100, 101, "app");
        time += 1'000 + any(40'000);
    }
    for (std::size_t index = 0; index < commands; ++index) {
        const auto [started, completed] = executions[index];
        program.times(time + 20'000'000, 1 + index, {1'500'000, 1'600'000, started, completed});
    }
    const auto named = std::ranges::count_if(feed.jobs(), [&](const model::Job& job) {
        return feed.driver(job) == "amdgpu" && job.api_call_basis == model::CallBasis::Estimated;
    });
    CHECK(named >= static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(jobs)));
}

namespace {

/// How many calls the second of two jobs is known to have: the second of three commands came after
/// the helper's ioctl for the first job began.
int calls_of_second_job(std::optional<std::uint64_t> ioctl)
{
    JobFeeder feed{estimated_calls};
    feed.in_namespace(model::initial_pid_namespace);
    Program program{feed};
    KernelJobs kernel_job{feed};
    program.device(10).queue(20, 70, 7, profiling_off);
    const auto of_helper = [&](std::int64_t time, const char* event, const Fields& fields) {
        if (ioctl) {
            feed.in(100, 103, "app:cs0").at(time)(event, fields).in(100, 101, "app");
        }
    };
    program.enqueue(1'000'000, 1'010'000, 1);
    of_helper(1'015'000, "syscall_entry_ioctl", {{"cmd", ioctl.value_or(0)}});
    program.enqueue(1'020'000, 1'030'000, 2);
    kernel_job(1'035'000, 103, "app:cs0", 1);
    of_helper(1'036'000, "syscall_exit_ioctl", {});
    program.enqueue(1'040'000, 1'050'000, 3);
    of_helper(1'060'000, "syscall_entry_ioctl", {{"cmd", ioctl.value_or(0)}});
    kernel_job(1'070'000, 103, "app:cs0", 2);
    of_helper(1'080'000, "syscall_exit_ioctl", {});
    int calls = -1;
    for (const model::Job& job : feed.jobs()) {
        if (feed.driver(job) == "amdgpu" && job.fence.seqno->value() == 2) {
            calls = job.api_calls;
        }
    }
    return calls;
}

} // namespace

TEST_CASE("ioctl_of_a_helper_when_recorded_then_its_job_has_no_call_that_began_later")
{
    CHECK(calls_of_second_job({}) == 1);          // of which it is known
    CHECK(calls_of_second_job(0xc018'6444) == 2); // DRM_IOCTL_AMDGPU_CS
    CHECK(calls_of_second_job(0x5401) == 1);      // TCGETS, of a terminal
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
    feed.at(101'500'000)("lttng_gpu_opencl:call", {{"function", flush}, {"begin_ns", 900'000}});
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

TEST_CASE("kernel_jobs_when_the_queue_is_released_then_their_rows_go_on")
{
    JobFeeder feed;
    Program{feed}.device(10).queue(20);
    feed.at(1'200)("lttng_gpu_opencl:call_begin", {{"function", release_queue}});
    feed.at(1'300)(
        "lttng_gpu_opencl:object_release",
        {{"function", release_queue}, {"begin_ns", 1'200}, {"object", 70}, {"kind", kind_queue}});
    add_kernel_jobs(feed, 3'000, 1, 900, 10'000'000); // 9 s
    CHECK(feed.so_far().size() > 700);
}

TEST_CASE("kernel_jobs_when_a_command_or_a_call_never_ends_then_their_rows_wait_some_seconds")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100).enqueue(1'000, 1'100, 1);
    feed.at(1'200)("lttng_gpu_opencl:call_begin", {{"function", finish}}); // killed there
    add_kernel_jobs(feed, 3'000, 1, 900, 10'000'000);                      // 9 s
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
    JobFeeder feed{estimated_calls};
    feed.in_namespace(model::initial_pid_namespace);
    Program program{feed};
    program.device(10).queue(20).clock(100);
    program.enqueue(1'000, 1'100, 1); // never reported: rows wait
    feed.at(1'500)("lttng_gpu_opencl:call", {{"function", flush}, {"begin_ns", 1'400}});
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
    CHECK(feed.count(Anomaly::ApiCallAmbiguous) == 1);
    CHECK(feed.count(Anomaly::ApiCallHelperInDoubt) == 1);
}

TEST_CASE("kernel_job_of_a_helper_when_commands_have_no_times_then_is_counted")
{
    JobFeeder feed{estimated_calls};
    feed.in_namespace(model::initial_pid_namespace);
    Program program{feed};
    program.device(10).queue(20).queue(21, 71, 7, profiling_off).clock(100);
    KernelJobs kernel_job{feed};
    kernel_job(900, 103, "app:cs0", 1); // before any command
    program.enqueue(1'000, 1'100, 1);
    kernel_job(1'300, 103, "app:cs0", 2);
    program.times(2'000, 1, {1'050, 1'100, 1'200, 1'900},
                  times_unavailable);     // refused, but it has ended
    program.enqueue(3'000, 3'100, 2, 71); // in the queue without times
    kernel_job(3'200, 103, "app:cs0", 3);
    kernel_job(3'300, 102, "app", 4); // no helper
    program.enqueue(4'000, 4'100, 3);
    kernel_job(4'200, 103, "app:cs0", 5);
    kernel_job(200'000'000, 103, "app:cs0", 6); // of that one, or of the one without times
    program.times(250'000'000, 3, {4'050, 4'100, 4'200, 249'000'000});
    kernel_job(400'000'000, 103, "app:cs0", 7); // no call is known that it could be of
    auto calls = kernel_job.calls();
    CHECK(calls.size() == 7);
    CHECK(calls[1].empty());
    CHECK(calls[2] == "clEnqueueNDRangeKernel(sum)");
    // Of which queue the context is, nothing tells.
    CHECK(calls[3].empty());
    CHECK(calls[4].empty());
    CHECK(calls[5].empty());
    CHECK(calls[6].empty());
    CHECK(calls[7].empty());
    CHECK(feed.count(Anomaly::ApiCallUntimed) == 0);
    CHECK(feed.count(Anomaly::ApiCallAmbiguous) == 0);
}

TEST_CASE("kernel_job_of_a_helper_when_the_first_call_has_not_returned_then_counts_all_the_same")
{
    JobFeeder feed{estimated_calls};
    feed.in_namespace(model::initial_pid_namespace);
    Program program{feed};
    program.device(10).queue(21, 71, 7, profiling_off).clock(100);
    KernelJobs kernel_job{feed};
    kernel_job(1'050, 103, "app:cs0", 1); // queued and complete within the first call
    program.enqueue(1'000, 1'100, 1, 71);
    program.enqueue(1'200, 1'300, 2, 71);
    kernel_job(1'350, 103, "app:cs0", 2);
    feed.at(1'500)("lttng_gpu_opencl:call",
                   {{"function", finish}, {"begin_ns", 1'310}}); // all is complete
    auto calls = kernel_job.calls();
    CHECK(calls[1] == "clEnqueueNDRangeKernel(sum)");
    CHECK(calls[2] == "clEnqueueNDRangeKernel(sum)");
}
