// SPDX-License-Identifier: MIT
//
// See text_clocks.hpp.
#include "text_clocks.hpp"

#include "text_format.hpp"

#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

std::string rate_text(const model::ClockAccount& clock)
{
    if (clock.splits > 0) {
        return fmt::format("set {} times", clock.splits);
    }
    constexpr double millionth = 1e6;
    if (!clock.keeps_rate) {
        return "changing rate";
    }
    return clock.drift ? fmt::format("drift {:+.3f} ± {:.3f} ppm", clock.drift->rate * millionth,
                                     clock.drift->error * millionth)
                       : std::string{"drift not known"};
}

std::string error_text(const model::ClockAccount& clock)
{
    if (clock.mapped == 0) {
        return "no times mapped";
    }
    return fmt::format("error ≤ {} (mean {})", human_duration(clock.error_most),
                       human_duration(Duration{static_cast<std::int64_t>(clock.error_mean)}));
}

std::string aligned_text(const model::ClockAccount& clock)
{
    return clock.aligned == 0
               ? std::string{}
               : fmt::format("    aligned with jobs of the kernel to find theirs (inferred): {} "
                             "commands, error ≤ {}\n",
                             clock.aligned, human_duration(clock.aligned_error_most));
}

std::string invalid_text(const model::ClockAccount& clock)
{
    std::string text;
    const auto add = [&](std::uint64_t count, std::string_view what) {
        if (count > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
        }
    };
    add(clock.unavailable, "refused by the driver");
    add(clock.disordered, "out of order");
    add(clock.implausible, "implausible");
    add(clock.unmapped, "not mapped");
    if (!text.empty()) {
        text = "    times not used: " + text + "\n";
    }
    if (clock.refused > 0) { // its commands may have times all the same
        text += fmt::format("    reports that contradict themselves: {}\n", clock.refused);
    }
    return text;
}

} // namespace

std::uint64_t invalid_times(const model::ClockAccount& clock)
{
    return clock.unavailable + clock.disordered + clock.implausible + clock.unmapped;
}

std::string clock_lines(const Report& report)
{
    if (report.trace.clocks.empty()) {
        return {};
    }
    std::string text = "\nclocks of devices, mapped to the trace's\n";
    for (const model::ClockAccount& clock : report.trace.clocks) {
        const std::string pid = clock.pid ? fmt::format(" in {}", clock.pid->value()) : "";
        text += fmt::format("  {}{}: {} commands · {} · {} · {} bounds\n",
                            clock.device.empty() ? "unknown device" : clock.device, pid,
                            clock.mapped, error_text(clock), rate_text(clock), clock.bounds);
        text += aligned_text(clock);
        text += invalid_text(clock);
    }
    return text;
}

} // namespace lttng_gpu::report
