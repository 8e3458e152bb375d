// SPDX-License-Identifier: MIT
//
// Launches on devices with made-up clocks: the true time always lies within the stated error, also
// where the times of commands bound it, and what contradicts itself is told and not used.
#include "device/launch_times.hpp"
#include "device/writers.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <random>

namespace {

using namespace lttng_gpu;
using namespace lttng_gpu::device;

struct Truth {
    std::int64_t begin;
    std::int64_t end;
};

/// Of one device whose timer has an offset and a rate of its own, as the driver's clock for
/// commands has, whose error is the mapping's.
class World {
public:
    explicit World(std::uint32_t seed) : m_random{seed}
    {
        m_offset = upto(1) == 0 ? upto(1'000'000'000'000) : 1'700'000'000'000'000'000;
        m_drift = upto(800) - 400; // ppm
        constexpr std::array steps{1, 32, 1000};
        m_step = steps[static_cast<std::size_t>(upto(2))];
        const auto launches = 1 + upto(30);
        std::int64_t now = 1'000'000'000 + upto(1'000'000'000);
        for (std::int64_t number = 0; number < launches; ++number) {
            now = launch(now);
        }
    }

    std::int64_t upto(std::int64_t most)
    {
        return std::uniform_int_distribution<std::int64_t>{0, most}(m_random);
    }
    /// Of different sizes.
    std::int64_t some_time() { return upto(1) == 0 ? upto(3'000) : upto(5'000'000); }

    DeviceTrace trace;
    std::vector<Truth> truth;

private:
    std::uint64_t on_device(std::int64_t time) const
    {
        const std::int64_t shown = time * (1'000'000 + m_drift) / 1'000'000 + m_offset;
        return static_cast<std::uint64_t>(shown / m_step * m_step);
    }

    std::int64_t launch(std::int64_t now)
    {
        LaunchSum& launch = trace.launches.emplace_back();
        launch.name = "kernel";
        launch.is_read = true;
        launch.called = Timestamp{now};
        const std::int64_t start = now + some_time();
        const std::int64_t begin = start + upto(1) * some_time();
        const std::int64_t end = begin + 1'000 + some_time();
        const std::int64_t over = end + upto(1) * some_time();
        launch.begin = on_device(begin);
        launch.end = on_device(end);
        launch.completed = Timestamp{over + some_time()};
        launch.observed = launch.completed + Duration{some_time()};
        if (upto(4) > 0) {
            // Shown as a whole by one offset, as jobs are.
            const std::int64_t error = some_time();
            const std::int64_t off = upto(2 * error) - error;
            launch.command = trace.launches.size();
            launch.command_times = {Timestamp{start + off}, Timestamp{over + off}, Duration{error}};
        }
        truth.push_back({begin, end});
        return launch.observed.value() + some_time();
    }

    std::mt19937_64 m_random;
    std::int64_t m_offset = 0;
    std::int64_t m_drift = 0;
    std::int64_t m_step = 1;
};

void check_truth(const World& world)
{
    for (std::size_t number = 0; number < world.truth.size(); ++number) {
        const LaunchSum& launch = world.trace.launches[number];
        REQUIRE(launch.begin_on_trace);
        REQUIRE(std::abs(launch.begin_on_trace->value() - world.truth[number].begin) <=
                launch.error.value());
        REQUIRE(std::abs(launch.end_on_trace->value() - world.truth[number].end) <=
                launch.error.value());
    }
}

std::vector<Duration> errors_of(const DeviceTrace& trace)
{
    std::vector<Duration> errors;
    for (const LaunchSum& launch : trace.launches) {
        errors.push_back(launch.error);
    }
    return errors;
}

} // namespace

TEST_CASE("launch_times_when_clocks_are_random_then_the_truth_is_within_the_error")
{
    std::size_t closer = 0;
    for (std::uint32_t seed = 0; seed < 3'000; ++seed) {
        World world{seed};
        DeviceTrace& trace = world.trace;
        std::vector<std::optional<CommandTimes>> commands;
        for (LaunchSum& launch : trace.launches) {
            commands.push_back(launch.command_times);
            launch.command_times.reset();
        }
        place_launches(trace);
        check_truth(world);
        REQUIRE(trace.timers.size() == 1);
        REQUIRE(trace.timers[0].call_conflicts == 0);
        REQUIRE(trace.timers[0].bound_by == BoundBy::Calls);
        const Duration before = trace.timers[0].error_most;
        for (std::size_t number = 0; number < commands.size(); ++number) {
            trace.launches[number].command_times = commands[number];
        }
        place_launches(trace);
        check_truth(world);
        REQUIRE(trace.timers[0].command_conflicts == 0);
        REQUIRE(trace.timers[0].mapped == trace.launches.size());
        closer += trace.timers[0].error_most < before ? 1 : 0;
    }
    CHECK(closer > 1'000);
}

TEST_CASE("launch_times_when_a_command_contradicts_the_timer_then_it_is_told_and_not_used")
{
    std::size_t told = 0;
    for (std::uint32_t seed = 0; seed < 1'000; ++seed) {
        World world{seed};
        DeviceTrace& trace = world.trace;
        const auto chosen = static_cast<std::size_t>(
            world.upto(static_cast<std::int64_t>(trace.launches.size()) - 1));
        LaunchSum& wrong = trace.launches[chosen];
        // It is over before the call: no clock can be so.
        wrong.command_times = {wrong.called - Duration{9'000'000},
                               wrong.called - Duration{8'000'000}, Duration{1'000}};
        place_launches(trace);
        check_truth(world);
        const TimerSum timer = trace.timers[0];
        REQUIRE(timer.command_conflicts > 0);
        REQUIRE(timer.bound_by == BoundBy::Calls);
        REQUIRE(text_of(trace, {}).find("times of commands contradict") != std::string::npos);
        const auto with = errors_of(trace);
        for (LaunchSum& launch : trace.launches) {
            launch.command_times.reset();
        }
        place_launches(trace);
        REQUIRE(errors_of(trace) == with);
        ++told;
    }
    CHECK(told == 1'000);
}

TEST_CASE("launch_times_when_the_command_is_exact_then_the_launch_is_inside_of_it")
{
    DeviceTrace trace;
    LaunchSum& launch = trace.launches.emplace_back();
    launch.is_read = true;
    launch.called = Timestamp{1'000};
    launch.completed = launch.observed = Timestamp{50'000'000};
    launch.begin = 7'000'000'002'001;
    launch.end = 7'000'000'102'001; // 100 us
    launch.command_times = {Timestamp{20'000'000}, Timestamp{20'104'000}, Duration{2'000}};
    place_launches(trace);
    REQUIRE(launch.begin_on_trace);
    CHECK(launch.bound_by == BoundBy::Commands);
    CHECK(*launch.begin_on_trace >= Timestamp{20'000'000});
    CHECK(*launch.end_on_trace <= Timestamp{20'104'000});
    CHECK(*launch.end_on_trace - *launch.begin_on_trace == Duration{100'000});
    CHECK(launch.error.value() < 5'000);
    CHECK(text_of(trace, {}).find("bounded by the times of commands") != std::string::npos);
}

TEST_CASE("launch_times_when_devices_are_several_then_each_timer_is_its_own")
{
    DeviceTrace trace;
    for (const std::uint64_t device : {1U, 2U}) {
        LaunchSum& launch = trace.launches.emplace_back();
        launch.is_read = true;
        launch.device = device;
        launch.called = Timestamp{1'000};
        launch.completed = launch.observed = Timestamp{200'000};
        launch.begin = device * 1'000'000'000'000;
        launch.end = launch.begin + 100'001;
    }
    place_launches(trace);
    CHECK(trace.timers.size() == 2);
    for (const LaunchSum& launch : trace.launches) {
        REQUIRE(launch.begin_on_trace);
        CHECK(launch.error.value() < 60'000);
    }
}
