// SPDX-License-Identifier: MIT
//
// See launch_times.hpp.
#include "launch_times.hpp"

#include "../clocks/device_clock.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace lttng_gpu::device {
namespace {

using model::DeviceClock;
using model::MappedTime;

/// The step found in a few launches may be any multiple of the timer's own.
constexpr std::uint64_t coarsest_step = 1U << 20U;

bool is_bounded(const LaunchSum& launch)
{
    return launch.has_interval() && launch.is_read;
}

std::int64_t step_of(const std::vector<LaunchSum*>& launches)
{
    std::uint64_t step = 0;
    for (const LaunchSum* launch : launches) {
        step = std::gcd(step, std::gcd(launch->begin, launch->end));
    }
    return static_cast<std::int64_t>(std::min(step, coarsest_step));
}

DeviceClock clock_of(const std::vector<LaunchSum*>& launches, BoundBy bounds)
{
    DeviceClock clock{{.resolution = step_of(launches)}};
    for (const LaunchSum* launch : launches) {
        Timestamp not_before = launch->called;
        Timestamp not_after = launch->completed;
        if (bounds == BoundBy::Commands && launch->command_times) {
            const CommandTimes& command = *launch->command_times;
            not_before = std::max(not_before, command.start - command.error);
            not_after = std::min(not_after, command.end + command.error);
        }
        const std::array readings{model::ClockReading{launch->begin, not_before, {}},
                                  model::ClockReading{launch->end, {}, not_after}};
        clock.add(readings, launch->observed);
    }
    return clock;
}

std::uint64_t conflicts_of(const DeviceClock& clock)
{
    return clock.splits() + clock.reports_refused();
}

Timestamp first_of(const MappedTime& mapped)
{
    return mapped.time - mapped.error;
}

Timestamp last_of(const MappedTime& mapped)
{
    return mapped.time + mapped.error;
}

/// Begin and end keep their distance, which the device measured. Of what is possible that is
/// taken which lies inside of the command as it is shown, so that both make one picture.
void place(LaunchSum& launch, const MappedTime& begin, const MappedTime& end,
           const CommandTimes* command)
{
    const Duration length{static_cast<std::int64_t>(launch.end - launch.begin)};
    Timestamp low = std::max(first_of(begin), first_of(end) - length);
    Timestamp high = std::min(last_of(begin), last_of(end) - length);
    Timestamp from = begin.time;
    Timestamp to = end.time;
    if (low <= high) { // else the timer runs at another rate than the trace's clock
        if (command != nullptr) {
            const Timestamp inside_low = std::max(low, command->start);
            const Timestamp inside_high = std::min(high, command->end - length);
            if (inside_low <= inside_high) {
                low = inside_low;
                high = inside_high;
            }
        }
        from = low + Duration{(high - low).value() / 2};
        to = from + length;
    }
    launch.begin_on_trace = from;
    launch.end_on_trace = to;
    launch.error = std::max(
        {from - first_of(begin), last_of(begin) - from, to - first_of(end), last_of(end) - to});
}

TimerSum place_timer(const std::vector<LaunchSum*>& launches)
{
    TimerSum timer;
    timer.pid = launches.front()->pid;
    timer.device = launches.front()->device;
    timer.queue = timer.device == 0 ? launches.front()->queue : 0;
    timer.launches = launches.size();
    for (const LaunchSum* launch : launches) {
        timer.with_command += launch->command_times ? 1 : 0;
    }
    DeviceClock clock = clock_of(launches, BoundBy::Calls);
    timer.call_conflicts = conflicts_of(clock);
    timer.bound_by = BoundBy::Calls;
    if (timer.with_command > 0) {
        DeviceClock closer = clock_of(launches, BoundBy::Commands);
        const std::uint64_t conflicts = conflicts_of(closer);
        timer.command_conflicts = conflicts - std::min(conflicts, timer.call_conflicts);
        if (timer.command_conflicts == 0) {
            clock = std::move(closer);
            timer.bound_by = BoundBy::Commands;
        }
    }
    for (LaunchSum* launch : launches) {
        launch->is_contradicted = timer.command_conflicts > 0 && timer.bound_by == BoundBy::Calls;
        const auto begin = clock.map(launch->begin, launch->observed);
        const auto end = clock.map(launch->end, launch->observed);
        if (!begin || !end) {
            continue;
        }
        const bool has_command = timer.bound_by == BoundBy::Commands && launch->command_times;
        place(*launch, *begin, *end, has_command ? &*launch->command_times : nullptr);
        launch->bound_by = timer.bound_by;
        ++timer.mapped;
        timer.offset =
            Duration{static_cast<std::int64_t>(launch->begin) - launch->begin_on_trace->value()};
        timer.error_most = std::max(timer.error_most, launch->error);
    }
    return timer;
}

} // namespace

void place_launches(DeviceTrace& trace)
{
    std::map<std::tuple<std::int64_t, std::uint64_t, std::uint64_t>, std::vector<LaunchSum*>>
        timers;
    for (LaunchSum& launch : trace.launches) {
        launch.begin_on_trace.reset();
        launch.end_on_trace.reset();
        launch.bound_by = BoundBy::Nothing;
        launch.is_contradicted = false;
        if (is_bounded(launch)) {
            const std::uint64_t queue = launch.device == 0 ? launch.queue : 0;
            timers[{launch.pid, launch.device, queue}].push_back(&launch);
        }
    }
    trace.timers.clear();
    for (const auto& [key, launches] : timers) {
        trace.timers.push_back(place_timer(launches));
    }
}

} // namespace lttng_gpu::device
