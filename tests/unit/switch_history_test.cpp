// SPDX-License-Identifier: MIT
//
// How much of the time in calls and frames their thread was on a CPU.
#include "opencl_program.hpp"

using namespace lttng_gpu;
using namespace lttng_gpu::test;

namespace {

constexpr Labelled swap_buffers{7, "eglSwapBuffers"};

/// A machine whose kernel and programs are two traces.
class Machine {
public:
    Machine()
    {
        m_feed.trace(0).facts({{}, Duration{0}, {"boot", "host"}, {}});
        m_feed.trace(1).facts({{}, Duration{0}, {"boot", "host"}, {}});
        call(1, 2); // the first event of an API
    }
    Machine& switch_to(std::int64_t time, std::int64_t from, std::int64_t to)
    {
        m_feed.trace(0).in(100, from, "app").at(time)("sched_switch", {{"next_tid", to}});
        return *this;
    }
    Machine& call(std::int64_t begin, std::int64_t end)
    {
        m_feed.trace(1)
            .in(100, 101, "app")
            .at(end)("lttng_gpu_opencl:call", {{"function", flush}, {"begin_ns", begin}});
        return *this;
    }
    Machine& frame(std::int64_t begin, std::int64_t end, std::uint64_t number)
    {
        m_feed.trace(1)
            .in(100, 101, "app")
            .at(end)("lttng_gpu_opencl:frame", {{"begin_ns", begin},
                                                {"result", 1},
                                                {"function", swap_buffers},
                                                {"frame", number},
                                                {"surface", 5}});
        return *this;
    }
    JobFeeder& feed() { return m_feed; }
    std::vector<std::int64_t> on_cpu()
    {
        std::vector<std::int64_t> all;
        for (const model::ReturnedCall& call : m_feed.calls()) {
            all.push_back(call.on_cpu ? call.on_cpu->value() : -1);
        }
        return all;
    }

private:
    JobFeeder m_feed;
};

using Times = std::vector<std::int64_t>;

} // namespace

TEST_CASE("call_when_its_thread_leaves_the_cpu_then_the_rest_is_cpu_time")
{
    Machine machine;
    machine.switch_to(100, 900, 101).call(200, 300);
    machine.switch_to(450, 101, 900).switch_to(490, 900, 101); // before the call
    machine.switch_to(600, 101, 900).switch_to(750, 900, 101).call(500, 1'000);
    machine.call(950, 1'500); // nothing happened
    machine.switch_to(1'600, 101, 900).switch_to(1'700, 900, 101);
    machine.switch_to(1'800, 101, 900).switch_to(1'900, 900, 101).call(1'650, 2'000);
    CHECK(machine.on_cpu() == Times{-1, 100, 350, 550, 200});
}

TEST_CASE("call_when_no_sched_switch_was_recorded_then_its_cpu_time_is_unknown")
{
    Machine machine;
    machine.call(200, 300);
    CHECK(machine.on_cpu() == Times{-1, -1});
}

TEST_CASE("call_when_sched_events_were_lost_in_it_then_its_cpu_time_is_unknown")
{
    Machine machine;
    machine.switch_to(100, 900, 101);
    machine.feed().trace(0).lose(400, 500);
    machine.call(450, 600).call(700, 800);
    CHECK(machine.on_cpu() == Times{-1, -1, 100});
}

TEST_CASE("call_when_its_thread_seems_to_be_off_then_its_cpu_time_is_unknown")
{
    Machine machine;
    machine.switch_to(100, 900, 101).switch_to(250, 101, 900).call(200, 300);
    CHECK(machine.on_cpu() == Times{-1, -1});
}

TEST_CASE("call_when_there_were_more_pauses_than_are_kept_then_its_cpu_time_is_unknown")
{
    Machine machine;
    machine.switch_to(100, 900, 101);
    std::int64_t time = 1'000;
    for (int pause = 0; pause < 70'000; ++pause, time += 10) {
        machine.switch_to(time, 101, 900).switch_to(time + 5, 900, 101);
    }
    machine.call(500, time).call(time - 20, time + 10);
    CHECK(machine.on_cpu() == Times{-1, -1, 20});
}

TEST_CASE("frame_when_its_thread_leaves_the_cpu_in_calls_then_has_the_cpu_time_in_calls")
{
    Machine machine;
    machine.switch_to(100, 900, 101).frame(150, 200, 1);
    machine.switch_to(250, 101, 900).switch_to(280, 900, 101); // outside of calls
    machine.switch_to(340, 101, 900).switch_to(360, 900, 101).call(300, 400);
    machine.switch_to(520, 101, 900).switch_to(550, 900, 101).frame(500, 600, 2);
    const auto& frames = machine.feed().frames();
    REQUIRE(frames.size() == 2);
    CHECK(!frames[0].in_calls_on_cpu);
    CHECK(frames[1].in_calls == Duration{200});
    CHECK(frames[1].in_calls_on_cpu == Duration{150});
}
