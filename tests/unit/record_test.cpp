// SPDX-License-Identifier: MIT
//
// What `record` reads from its command line, what it shows of commands, and how it sizes buffers.
#include "ctf_writer.hpp"
#include "gpu_trace.hpp"
#include "record/buffers.hpp"
#include "record/folder.hpp"
#include "record/kernel_side.hpp"
#include "record/late_jobs.hpp"
#include "record/narrator.hpp"
#include "record/record_options.hpp"
#include "record/session.hpp"

#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <set>
#include <thread>

using namespace lttng_gpu;
using namespace lttng_gpu::record;

TEST_CASE("record_size_when_it_has_a_unit_then_is_bytes")
{
    CHECK(parse_size("4096") == 4096);
    CHECK(parse_size("512K") == 512 * 1024);
    CHECK(parse_size("4M") == 4 * 1024 * 1024);
    CHECK(parse_size("1G") == 1024ULL * 1024 * 1024);
    for (const char* wrong :
         {"", "K", "0", "-1", "4X", "4 M", "99999999999999999999", "99999999999G"}) {
        CHECK_FALSE(parse_size(wrong));
    }
}

TEST_CASE("record_duration_when_it_has_a_unit_then_is_exact")
{
    CHECK(parse_duration("5ms") == Duration{5'000'000});
    CHECK(parse_duration("500us") == Duration{500'000});
    CHECK(parse_duration("1.5s") == Duration{1'500'000'000});
    CHECK(parse_duration("800ns") == Duration{800});
    for (const char* wrong :
         {"", "5", "ms", "0ms", "-1s", "5m", "nans", "infs", "1e300s", "0.1ns"}) {
        CHECK_FALSE(parse_duration(wrong));
    }
}

TEST_CASE("record_events_when_they_are_the_schedulers_then_the_daemon_needs_one_probe_of_lttngs")
{
    CHECK(lttng_probes_with({}) == "sched");
    CHECK(lttng_probes_with({"sched_switch", "sched_waking"}) == "sched");
    CHECK(lttng_probes_with({"sched_switch", "irq_handler_entry"}).empty());
    CHECK(lttng_probes_with({"*"}).empty());
}

TEST_CASE("record_events_when_patterns_are_given_then_add_to_the_sides")
{
    const auto all = parse_events("all,kernel:sched_switch,user:my_app:*");
    REQUIRE(all);
    CHECK((all->has_kernel && all->has_user));
    CHECK(all->more_kernel == std::vector<std::string>{"sched_switch"});
    CHECK(all->more_user == std::vector<std::string>{"my_app:*"});
    CHECK_FALSE(parse_events("kernel")->has_user);
    CHECK_FALSE(parse_events("user")->has_kernel);
    CHECK(parse_events("kernel:x")->has_user);
    const auto calls = parse_events("all,syscall:ioctl,syscall:poll");
    REQUIRE(calls);
    CHECK(calls->syscalls == std::vector<std::string>{"ioctl", "poll"});
    CHECK(calls->more_kernel.empty());
    for (const char* wrong :
         {"gpu", "kernel:", "user,kernel:x", "kernel,,user", "syscall:", "user,syscall:ioctl"}) {
        CHECK_FALSE(parse_events(wrong));
    }
}

TEST_CASE("record_apis_when_named_then_are_those_of_the_list")
{
    CHECK(*parse_apis("gl,opencl,gl") == std::vector<std::string>{"gl", "opencl"});
    for (const char* wrong : {"", "gl,metal", ",", "OpenGL"}) {
        CHECK_FALSE(parse_apis(wrong));
    }
    CHECK(parse_apis("metal").error().message.find("opencl") != std::string::npos);
    RecordOptions options;
    CHECK((is_chosen(options, "gl") && is_chosen(options, "opencl")));
    options.apis = {"gl"};
    CHECK((is_chosen(options, "gl") && !is_chosen(options, "opencl")));
    options.command = {"true"};
    CHECK(check(options));
    options.events.has_user = false;
    CHECK_FALSE(check(options));
}

TEST_CASE("record_words_when_shown_then_a_shell_reads_the_same")
{
    CHECK(shell_text({"echo", "a b", "it's", "", "-x=/y,z"}) == "echo 'a b' 'it'\\''s' '' -x=/y,z");
}

TEST_CASE("record_buffers_when_memory_is_small_then_are_small_and_powers_of_two")
{
    constexpr std::uint64_t gigabyte = 1ULL << 30U;
    for (const Memory& memory :
         {Memory{16 * gigabyte, 8 * gigabyte, 8, 4096},
          Memory{gigabyte / 2, gigabyte / 16, 4, 4096},
          Memory{512 * gigabyte, 64 * gigabyte, 256, 65536}, Memory{0, 0, 1, 4096}}) {
        for (const Buffers& buffers :
             {streaming_buffers(memory, {}), flight_recorder_buffers(memory, {}),
              watch_buffers(memory), streaming_buffers(memory, 5'000'000)}) {
            CHECK(std::has_single_bit(buffers.subbuffer_bytes));
            CHECK(std::has_single_bit(buffers.subbuffers));
            CHECK(buffers.subbuffer_bytes >= memory.page);
        }
        const std::uint64_t whole = streaming_buffers(memory, {}).bytes() * memory.cpus;
        CHECK((whole <= memory.available / 64 ||
               streaming_buffers(memory, {}).bytes() <= 4 * memory.page * 4));
    }
    CHECK(streaming_buffers({gigabyte, gigabyte, 2, 4096}, 4'194'304).bytes() == 4'194'304);
    CHECK(streaming_buffers({gigabyte, gigabyte, 2, 4096}, 5'000'000).bytes() == 4'194'304);
}

TEST_CASE("record_session_when_planned_then_only_user_space_blocks_and_watching_leaves_calls_out")
{
    RecordOptions options;
    options.is_without_loss = true;
    const Memory memory{1ULL << 34U, 1ULL << 33U, 4, 4096};
    const SessionPlan plan = plan_recording(options, "name", "/folder", true, memory);
    REQUIRE(plan.channels.size() == 2);
    CHECK(plan.channels[0].side == Channel::Side::Kernel);
    CHECK_FALSE(plan.channels[0].is_blocking);
    CHECK(plan.channels[1].is_blocking);
    const auto commands = commands_of(plan);
    CHECK(commands.front() ==
          std::vector<std::string>{"lttng", "--no-sessiond", "create", "name", "--output=/folder"});
    CHECK(commands.back() == std::vector<std::string>{"lttng", "--no-sessiond", "start", "name"});

    const SessionPlan watch = plan_watch(options, "watch", "/folder", false, memory);
    REQUIRE(watch.channels.size() == 1);
    CHECK(watch.is_flight_recorder);
    const auto& excluded = watch.channels[0].excluded;
    CHECK(std::find(excluded.begin(), excluded.end(), "*:call") != excluded.end());
}

TEST_CASE("record_session_when_system_calls_are_named_then_a_channel_of_its_own_has_them")
{
    RecordOptions options;
    options.events.syscalls = {"ioctl", "poll"};
    const SessionPlan plan =
        plan_recording(options, "name", "/folder", true, {1ULL << 34U, 1ULL << 33U, 4, 4096});
    REQUIRE(plan.channels.size() == 3);
    CHECK(plan.channels[1].events.empty());
    std::vector<std::vector<std::string>> of_channel; // commands that enable events there
    for (const auto& command : commands_of(plan)) {
        const bool enables = std::ranges::find(command, "enable-event") != command.end();
        if (enables && std::ranges::find(command, "--channel=more") != command.end()) {
            of_channel.push_back(command);
        }
    }
    REQUIRE(of_channel.size() == 1);
    CHECK(of_channel[0] == std::vector<std::string>{"lttng", "--no-sessiond", "enable-event",
                                                    "--kernel", "--session=name", "--channel=more",
                                                    "--syscall", "ioctl,poll"});
}

TEST_CASE("record_folder_when_several_want_one_name_then_each_gets_its_own")
{
    const test::TemporaryDirectory directory;
    const Descriptor parent{open(directory.path().c_str(), O_PATH | O_DIRECTORY)};
    constexpr int threads = 4;
    constexpr int folders = 50; // of each
    std::vector<std::vector<std::string>> made(threads);
    std::vector<std::thread> running;
    running.reserve(threads);
    for (auto& mine : made) {
        running.emplace_back([&] {
            for (int count = 0; count < folders; ++count) {
                if (const auto name = make_free_folder(parent, "name")) {
                    mine.push_back(*name);
                }
            }
        });
    }
    std::set<std::string> names;
    for (int thread = 0; thread < threads; ++thread) {
        running[thread].join();
        names.insert(made[thread].begin(), made[thread].end());
    }
    CHECK(names.size() == threads * folders);
    CHECK(names.count("name-2") == 1);
    CHECK_FALSE(make_free_folder(parent, "no/name"));
}

TEST_CASE("record_late_jobs_when_a_trace_cannot_be_read_then_is_an_error")
{
    const test::TemporaryDirectory directory;
    const auto none = find_late_jobs(directory.path(), Duration{100});
    REQUIRE(none); // nothing was recorded yet
    CHECK(none->jobs.empty());

    test::write_two_jobs(directory.path());
    const auto late = find_late_jobs(directory.path(), Duration{999});
    REQUIRE(late);
    CHECK(late->jobs.size() == 2);
    CHECK(find_late_jobs(directory.path(), Duration{1000})->jobs.empty());

    std::ofstream{directory.path() / "metadata", std::ios::trunc} << "/* CTF 1.8 */ nonsense";
    CHECK_FALSE(find_late_jobs(directory.path(), Duration{999}));
}
