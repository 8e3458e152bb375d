// SPDX-License-Identifier: MIT
//
// What OpenCL commands and calls wait for.
#include "opencl_program.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

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
    program.device(10).queue(20).clock(100).blocking_read(1'000, 1'500, 1);
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

namespace {

constexpr Labelled wait_for_events{1049, "clWaitForEvents"};

std::string ring_of(JobFeeder& feed, const model::Wait& wait)
{
    return wait.ring ? feed.text(feed.rings().at(*wait.ring).name) : std::string{};
}

void wait_for_queue(JobFeeder& feed, std::int64_t begin, std::int64_t end, std::uint64_t queue,
                    std::uint64_t newest)
{
    feed.at(end)("lttng_gpu_opencl:wait", {{"function", finish},
                                           {"begin_ns", begin},
                                           {"result", std::int64_t{0}},
                                           {"queue", queue},
                                           {"newest", newest}});
}

void wait_for_list(JobFeeder& feed, std::int64_t begin, std::int64_t end, const Numbers& commands)
{
    feed.at(end)("lttng_gpu_opencl:wait", {{"function", wait_for_events},
                                           {"begin_ns", begin},
                                           {"result", std::int64_t{0}},
                                           {"queue", 0},
                                           {"newest", 0},
                                           {"waits_for", commands}});
}

} // namespace

TEST_CASE("opencl_wait_when_it_names_its_queue_then_is_for_the_last_of_its_commands_only")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).queue(21, 71).clock(100);
    program.enqueue(1'000, 1'100, 1).enqueue(1'200, 1'300, 2).enqueue(1'400, 1'500, 3, 71);
    wait_for_queue(feed, 1'600, 3'000, 70, 3);
    // Of the other queue, by the same thread, and ended later.
    program.times(3'001, 3, {1'450, 1'500, 1'600, 2'990}, times_valid, 71);
    program.times(3'002, 1, {1'050, 1'100, 1'200, 2'000});
    feed.at(3'100)("lttng_gpu_opencl:call", {{"function", flush}, {"begin_ns", 3'050}});
    feed.in(100, 102, "app"); // another thread tells of the other one
    program.times(3'200, 2, {1'250, 1'300, 2'000, 2'900});
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 1);
    CHECK(ring_of(feed, waits[0]) == "queue 1 of pid 100");
    CHECK(waits[0].fence.seqno == FenceSeqno{2});
    CHECK(is_near(waits[0].signaled, 2'900));
    CHECK(waits[0].end.value() == 3'000);
    CHECK(!waits[0].is_inferred);
}

TEST_CASE("opencl_wait_when_commands_come_while_it_waits_then_is_not_for_these")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100).enqueue(1'000, 1'100, 1);
    feed.in(100, 102, "app");
    program.enqueue(2'000, 2'100, 2);
    feed.in(100, 101, "app");
    wait_for_queue(feed, 1'600, 3'000, 70, 1);
    program.times(3'001, 2, {2'050, 2'100, 2'200, 2'950}); // of an unordered queue
    program.times(3'002, 1, {1'050, 1'100, 1'200, 2'900});
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 1);
    CHECK(waits[0].fence.seqno == FenceSeqno{1});
    CHECK(is_near(waits[0].signaled, 2'900));
}

TEST_CASE("opencl_wait_when_the_times_were_told_before_then_is_for_the_last_command")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).queue(21, 71).clock(100);
    program.enqueue(1'000, 1'100, 1).enqueue(1'200, 1'300, 2).enqueue(1'400, 1'450, 3, 71);
    program.times(1'500, 1, {1'050, 1'060, 1'070, 1'400});
    program.times(1'500, 2, {1'250, 1'260, 1'400, 1'450});
    wait_for_queue(feed, 1'600, 1'700, 70, 3);
    wait_for_queue(feed, 1'800, 1'900, 72, 3); // a queue of which nothing is known
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 2);
    CHECK(waits[0].fence.seqno == FenceSeqno{2});
    CHECK(is_near(waits[0].signaled, 1'450));
    CHECK(!waits[1].ring);
}

TEST_CASE("opencl_wait_when_it_names_commands_of_two_queues_then_is_for_the_one_that_ended_last")
{
    for (const bool is_first_last : {false, true}) {
        JobFeeder feed;
        Program program{feed};
        program.device(10).queue(20).queue(21, 71).queue(22, 72).clock(100);
        program.enqueue(1'000, 1'100, 1).enqueue(1'200, 1'300, 2, 71);
        program.enqueue(1'400, 1'500, 3, 72);
        wait_for_list(feed, 1'600, 3'000, {1, 0, 2});
        program.times(3'001, 3, {1'450, 1'500, 1'600, 2'990}, times_valid, 72);
        program.times(3'002, 1, {1'050, 1'100, 1'200, is_first_last ? 2'900 : 2'000});
        program.times(3'003, 2, {1'250, 1'300, 1'400, 2'500}, times_valid, 71);
        const auto& waits = feed.waits();
        REQUIRE(waits.size() == 1);
        CHECK(ring_of(feed, waits[0]) ==
              (is_first_last ? "queue 1 of pid 100" : "queue 2 of pid 100"));
        CHECK(waits[0].fence.seqno == FenceSeqno{is_first_last ? 1ULL : 2ULL});
        CHECK(is_near(waits[0].signaled, is_first_last ? 2'900 : 2'500));
    }
}

TEST_CASE("opencl_wait_when_its_commands_have_no_times_then_is_for_its_queue_at_an_unknown_time")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20, 70, 7, profiling_off).queue(21, 71).clock(100);
    program.enqueue(1'000, 1'100, 1).enqueue(1'200, 1'300, 2);
    wait_for_queue(feed, 1'600, 3'000, 70, 2);
    wait_for_list(feed, 3'100, 3'200, {1});
    wait_for_list(feed, 3'300, 3'400, {5}); // nothing is known of it
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 3);
    CHECK(ring_of(feed, waits[0]) == "queue 1 of pid 100");
    CHECK(waits[0].fence.seqno == FenceSeqno{2});
    CHECK(!waits[0].signaled);
    CHECK(waits[1].fence.seqno == FenceSeqno{1});
    CHECK(!waits[2].ring);
}

TEST_CASE("opencl_wait_when_its_commands_never_end_then_is_told_at_the_end_and_memory_is_bounded")
{
    JobFeeder feed;
    Program program{feed};
    program.device(10).queue(20).clock(100).enqueue(1'000, 1'100, 1);
    for (std::int64_t wait = 0; wait < 1'000; ++wait) {
        wait_for_queue(feed, 2'000 + 10 * wait, 2'005 + 10 * wait, 70, 1);
    }
    const auto& waits = feed.waits();
    REQUIRE(waits.size() == 1'000);
    CHECK(ring_of(feed, waits[999]) == "queue 1 of pid 100");
    CHECK(!waits[999].signaled);
}
