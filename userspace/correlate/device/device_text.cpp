// SPDX-License-Identifier: MIT
//
// See writers.hpp.
#include "../report/text_table.hpp"
#include "writers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace lttng_gpu::device {
namespace {

using report::TableColumn;
using report::TextTable;

constexpr std::size_t most_launches_shown = 20;
constexpr std::size_t most_curves_shown = 3;

std::string time_text(double ns)
{
    if (ns >= 1e9) {
        return fmt::format("{:.3g} s", ns / 1e9);
    }
    if (ns >= 1e6) {
        return fmt::format("{:.3g} ms", ns / 1e6);
    }
    return ns >= 1e3 ? fmt::format("{:.3g} µs", ns / 1e3) : fmt::format("{:.0f} ns", ns);
}

std::string place_text(const LocationSum& location)
{
    return location.kind.empty() ? "?"
           : location.line == 0
               ? location.function
               : fmt::format("{}:{}:{}", location.function, location.line, location.column);
}

std::string kernel_text(const KernelSum& kernel, const report::Screen& screen)
{
    std::uint64_t ns = 0;
    std::uint64_t executions = 0;
    for (const auto& [number, location] : kernel.locations) {
        ns += location.ns;
        executions += location.executions;
    }
    std::string text =
        fmt::format("kernel {}: {} launches, {} events in {} records{}\n", kernel.name,
                    kernel.launches, executions, kernel.records,
                    kernel.lost_records > 0
                        ? fmt::format(", {} records lost (buffer full)", kernel.lost_records)
                        : "");
    TextTable table{{{.title = "location", .side = TableColumn::Side::Left},
                     {.title = "kind", .side = TableColumn::Side::Left},
                     {.title = kernel.has_warps ? "by warps" : "by work-items"},
                     {.title = "lanes", .rank = 1},
                     {.title = "time", .rank = 2}}};
    for (const auto& [number, location] : kernel.locations) {
        const auto lanes = location.mean_lanes();
        table.add_row({{place_text(location)},
                       {location.kind.empty() ? "?" : location.kind},
                       {std::to_string(location.executions)},
                       {lanes ? fmt::format("{:.1f}", *lanes) : "-"},
                       {ns > 0 ? fmt::format("{:.1f} %", 100 * static_cast<double>(location.ns) /
                                                             static_cast<double>(ns))
                               : "-"}});
    }
    return text + table.text(screen);
}

std::string curve(const std::vector<double>& values, double most, const report::Screen& screen)
{
    constexpr std::array<std::string_view, 9> heights{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    constexpr std::array<std::string_view, 9> letters{" ", ".", ".", ":", ":", "=", "=", "#", "#"};
    std::string line;
    for (const double value : values) {
        const double height = most > 0 && value > 0 ? std::ceil(value / most * 8) : 0;
        const auto eighths = static_cast<std::size_t>(std::min(height, 8.0));
        line += screen.is_ascii ? letters[eighths] : heights[eighths];
    }
    return line;
}

std::string curves_text(const LaunchSum& launch, const report::Screen& screen)
{
    return fmt::format(
        "{}{}, from its begin to its end\n  warps           |{}| most {}\n"
        "  multiprocessors |{}| of {}\n",
        launch.name, launch.command ? fmt::format(", command {}", *launch.command) : "",
        curve(launch.over_time.warps, static_cast<double>(launch.most_warps), screen),
        launch.most_warps,
        curve(launch.over_time.places, static_cast<double>(launch.places), screen), launch.places);
}

std::string launches_text(const DeviceTrace& trace, const report::Screen& screen)
{
    const bool has_intervals =
        std::any_of(trace.launches.begin(), trace.launches.end(),
                    [](const LaunchSum& launch) { return launch.has_interval(); });
    if (!has_intervals) {
        return {};
    }
    TextTable table{{{.title = "launch of", .side = TableColumn::Side::Left},
                     {.title = "command"},
                     {.title = "on device"},
                     {.title = "warps"},
                     {.title = "at once"},
                     {.title = "most"},
                     {.title = "waves", .rank = 1},
                     {.title = "multiprocessors"},
                     {.title = "imbalance"},
                     {.title = "tail"}}};
    std::vector<const LaunchSum*> longest;
    for (const LaunchSum& launch : trace.launches) {
        if (launch.has_interval()) {
            longest.push_back(&launch);
        }
    }
    std::ranges::stable_sort(longest, [](const LaunchSum* one, const LaunchSum* other) {
        return one->end - one->begin > other->end - other->begin;
    });
    longest.resize(std::min(longest.size(), most_launches_shown));
    for (const LaunchSum* launch : longest) {
        const auto ns = static_cast<double>(launch->end - launch->begin);
        table.add_row(
            {{launch->name},
             {launch->command ? std::to_string(*launch->command) : "-"},
             {time_text(ns)},
             {std::to_string(launch->warps)},
             {fmt::format("{:.1f}", launch->mean_warps())},
             {std::to_string(launch->most_warps)},
             {fmt::format("{:.1f}", launch->waves())},
             {std::to_string(launch->places)},
             {fmt::format("{:.2f}", launch->imbalance)},
             {fmt::format("{} ({:.0f} %)", time_text(static_cast<double>(launch->tail_ns)),
                          100 * static_cast<double>(launch->tail_ns) / ns)}});
    }
    std::string text = "the longest launches, by the device's timer\n" + table.text(screen);
    for (std::size_t number = 0; number < std::min(longest.size(), most_curves_shown); ++number) {
        text += curves_text(*longest[number], screen);
    }
    return text;
}

/// How well the device's times are known on the trace's clock, and what contradicts itself.
std::string clock_text(const DeviceTrace& trace)
{
    std::string text;
    for (const TimerSum& timer : trace.timers) {
        std::string of;
        if (trace.timers.size() > 1) {
            of = fmt::format(" of {} {:#x}, process {}", timer.device != 0 ? "device" : "queue",
                             timer.device != 0 ? timer.device : timer.queue, timer.pid);
        }
        if (timer.mapped > 0) {
            text +=
                fmt::format("device times{} are on the trace's clock within ±{}, bounded by {}\n",
                            of, time_text(static_cast<double>(timer.error_most.value())),
                            timer.bound_by == BoundBy::Commands ? "the times of commands"
                                                                : "calls and completions only");
        }
        if (timer.call_conflicts > 0) {
            text += fmt::format("device times{}: calls and completions contradict each other {} "
                                "times: the timer was set, or one of them is wrong\n",
                                of, timer.call_conflicts);
        }
        if (timer.command_conflicts > 0) {
            text += fmt::format("device times{}: times of commands contradict the device's timer "
                                "{} times: none of them is used\n",
                                of, timer.command_conflicts);
        }
    }
    return text;
}

std::string missing_text(const DeviceTrace& trace)
{
    std::string text;
    for (const auto& [reason, untraced] : trace.untraced) {
        text += fmt::format("left alone, {}: {} {}{}\n", reason, untraced.count,
                            untraced.count == 1 ? "time" : "times",
                            untraced.example.empty() ? "" : " (" + untraced.example + ")");
    }
    if (trace.launches_unread > 0) {
        text += fmt::format("launches without an end in the trace: {}\n", trace.launches_unread);
    }
    if (trace.parts_lost > 0) {
        text += fmt::format("parts of records that the tracer lost: {}\n", trace.parts_lost);
    }
    if (trace.parts_damaged > 0) {
        text += fmt::format("parts of records that are damaged: {}\n", trace.parts_damaged);
    }
    return text;
}

} // namespace

std::string text_of(const DeviceTrace& trace, const report::Screen& screen)
{
    std::string text;
    for (const KernelSum& kernel : trace.kernels) {
        text += kernel_text(kernel, screen) + "\n";
    }
    const std::string launches = launches_text(trace, screen);
    text += launches.empty() ? "" : launches + "\n";
    text += clock_text(trace);
    text += missing_text(trace);
    return screen.is_ascii ? report::as_ascii(text) : text;
}

} // namespace lttng_gpu::device
