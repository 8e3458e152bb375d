// SPDX-License-Identifier: MIT
//
// When a program learned that the jobs of its calls had ended.
#include "opencl_program.hpp"
#include "report/api_call_table.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr Labelled wait_for_events{1049, "clWaitForEvents"};
constexpr Labelled queue_wait_idle{3001, "vkQueueWaitIdle"};
constexpr Labelled queue_submit{3002, "vkQueueSubmit"};

void wait(JobFeeder& feed, std::int64_t begin, std::int64_t end, std::uint64_t queue,
          std::uint64_t newest, const Numbers& commands = {}, std::int64_t result = 0)
{
    feed.at(end)("lttng_gpu_opencl:wait",
                 {{"function", commands.empty() ? finish : wait_for_events},
                  {"begin_ns", begin},
                  {"result", result},
                  {"queue", queue},
                  {"newest", newest},
                  {"waits_for", commands}});
}

/// When each was learned, by when it ended; of ends a few nanoseconds beside each other one.
std::map<std::int64_t, std::int64_t> learned(JobFeeder& feed)
{
    std::map<std::int64_t, std::int64_t> all;
    for (const model::CompletionNotice& end : feed.learned()) {
        const std::int64_t nearest = (end.completed.value() + 50) / 100 * 100;
        CHECK(!all.contains(nearest));
        all[nearest] = end.learned.value();
    }
    return all;
}

using Learned = std::map<std::int64_t, std::int64_t>;

} // namespace

TEST_CASE("learned_end_when_a_wait_names_its_queue_then_is_that_of_its_commands_only")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).queue(21, 71).clock(100);
    program.enqueue(1'000, 1'100, 1).enqueue(1'200, 1'300, 2).enqueue(1'400, 1'500, 3, 71);
    program.times(2'050, 1, {1'050, 1'100, 1'200, 2'000}); // known before the wait
    wait(feed, 2'500, 3'000, 70, 3);                       // begins after the end of the first
    program.times(3'002, 2, {1'250, 1'300, 2'000, 2'900}); // known after it
    program.times(3'003, 3, {1'450, 1'500, 1'600, 2'800}, times_valid, 71);
    wait(feed, 3'500, 4'000, 70, 3); // tells nothing new
    CHECK(learned(feed) == Learned{{2'000, 3'000}, {2'900, 3'000}});
}

TEST_CASE("learned_end_when_events_are_waited_for_in_an_unordered_queue_then_is_theirs_only")
{
    constexpr std::uint64_t out_of_order = 3; // and profiling
    for (const bool is_ordered : {false, true}) {
        JobFeeder feed;
        Program program{feed};
        program.device(10).clock(100);
        feed.at(20)("lttng_gpu_opencl:queue", {{"queue", 70},
                                               {"context", 1},
                                               {"device", 7},
                                               {"properties", is_ordered ? 2 : out_of_order},
                                               {"profiling", profiling_by_layer}});
        program.enqueue(1'000, 1'100, 1).enqueue(1'200, 1'300, 2).enqueue(1'400, 1'500, 3);
        wait(feed, 1'600, 3'000, 0, 0, {2});
        for (std::uint64_t number = 1; number <= 3; ++number) {
            const auto end = static_cast<std::int64_t>(2'000 + 200 * number);
            program.times(3'000 + static_cast<std::int64_t>(number), number,
                          {1'450, 1'500, 1'600, end});
        }
        CHECK(learned(feed) ==
              (is_ordered ? Learned{{2'200, 3'000}, {2'400, 3'000}} : Learned{{2'400, 3'000}}));
    }
}

TEST_CASE("learned_end_when_a_wait_failed_or_none_was_then_is_unknown")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100).enqueue(1'000, 1'100, 1);
    wait(feed, 1'600, 3'000, 70, 1, {}, -36);
    program.times(3'002, 1, {1'050, 1'100, 1'200, 2'000});
    CHECK(feed.learned().empty());
}

TEST_CASE("learned_end_when_the_call_blocks_then_is_its_return")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100).blocking_read(1'000, 1'500, 1);
    program.times(1'600, 1, {1'100, 1'150, 1'200, 1'400});
    CHECK(learned(feed) == Learned{{1'400, 1'500}});
}

TEST_CASE("learned_end_when_waits_do_not_say_for_what_then_is_of_those_that_were_under_way")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100).enqueue(1'000, 1'100, 1).enqueue(1'200, 1'300, 2);
    program.times(2'050, 1, {1'050, 1'100, 1'200, 2'000}); // ended before
    feed.at(3'000)("lttng_gpu_opencl:call", {{"function", finish}, {"begin_ns", 2'500}});
    program.times(3'002, 2, {1'250, 1'300, 2'000, 2'900});
    CHECK(learned(feed) == Learned{{2'900, 3'000}});
}

TEST_CASE("learned_end_of_a_kernel_job_when_a_wait_was_under_way_then_is_its_return")
{
    JobFeeder feed;
    feed.clock_offset(0).in(100, 101, "app");
    const Fields fields{{"name", "gfx"},
                        {"dev", "0000:01:00.0"},
                        {"driver", "amdgpu"},
                        {"fence_context", 9},
                        {"fence_seqno", 1}};
    feed.at(1'050)("drm_sched_job_queue", fields)("drm_sched_job_run", fields);
    feed.at(1'100)("lttng_gpu_vulkan:call", {{"function", queue_submit}, {"begin_ns", 1'000}});
    feed.at(1'700)("drm_sched_job_done", fields);
    feed.at(1'900)("lttng_gpu_vulkan:wait", {{"function", queue_wait_idle}, {"begin_ns", 1'500}});
    const auto& ends = feed.learned();
    REQUIRE(ends.size() == 1);
    CHECK(feed.text(ends[0].call) == "vkQueueSubmit");
    CHECK(!ends[0].is_command);
    CHECK(ends[0].learned.value() == 1'900);
}

TEST_CASE("learned_ends_when_nothing_is_waited_for_then_memory_is_bounded")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100);
    constexpr std::uint64_t last = 20'000;
    for (std::uint64_t number = 1; number <= last; ++number) {
        const auto at = static_cast<std::int64_t>(number) * 1'000;
        program.enqueue(at, at + 10, number);
        program.times(at + 500, number, {at + 20, at + 30, at + 40, at + 50});
    }
    wait(feed, 30'000'000, 30'000'100, 70, last);
    CHECK(feed.learned().size() == 4'096);
}

TEST_CASE("api_call_table_when_ends_are_learned_then_has_their_sum_and_the_longest")
{
    StringPool strings;
    model::RingTable texts{strings};
    report::ApiCallTable table;
    const StringId name = strings.intern("clFlush");
    table.add_learned({name, true, Timestamp{1}, Timestamp{10}, Timestamp{30}});
    table.add_learned({name, true, Timestamp{1}, Timestamp{10}, Timestamp{15}});
    model::ReturnedCall call{{}, name, Timestamp{0}, Timestamp{100}};
    table.add_call(call); // not known
    call.on_cpu = Duration{40};
    table.add_call(call);
    const auto calls = table.finish(texts);
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].commands.learned == 2);
    CHECK(calls[0].commands.learned_after == 25);
    CHECK(calls[0].commands.learned_after_max == 20);
    CHECK(calls[0].jobs.learned == 0);
    CHECK(calls[0].time == 200);
    CHECK(calls[0].on_cpu_known == 1);
    CHECK(calls[0].on_cpu_of == 100);
    CHECK(calls[0].on_cpu == 40);
}
