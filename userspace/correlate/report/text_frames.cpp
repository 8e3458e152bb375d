// SPDX-License-Identifier: MIT
//
// See text_frames.hpp.
#include "text_frames.hpp"

#include "frame_row.hpp"
#include "text_format.hpp"

#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

constexpr std::size_t most_surfaces = 10;

std::string human(std::int64_t nanoseconds)
{
    return human_duration(Duration{nanoseconds});
}

/// "12 late (9 execution, 3 in call)"
std::string late_text(const SurfaceReport& surface)
{
    if (surface.judged == 0) {
        return "too few frames for a cadence";
    }
    std::string text = fmt::format("{} late", surface.late);
    std::string causes;
    for (std::size_t part = 0; part < surface.late_by.size(); ++part) {
        if (surface.late_by[part] > 0) {
            causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", surface.late_by[part],
                                  frame_part_title(static_cast<model::FramePart>(part)));
        }
    }
    return causes.empty() ? text : fmt::format("{} ({})", text, causes);
}

std::string phase_text(std::string_view title, const LatencySummary& latency)
{
    return latency.count == 0
               ? fmt::format("{} unknown", title)
               : fmt::format("{} {} / {}", title, human(latency.p50), human(latency.p99));
}

std::string jobs_text(const SurfaceReport& surface)
{
    const double mean = static_cast<double>(surface.jobs) / static_cast<double>(surface.frames);
    std::string text = fmt::format("{:.2f} jobs per frame", mean);
    if (surface.jobs_by_time > 0) {
        text += fmt::format(" ({} of {} jobs placed by their time only)", surface.jobs_by_time,
                            surface.jobs);
    }
    return text;
}

} // namespace

std::string surface_lines(const SurfaceReport& surface)
{
    std::string text = fmt::format(
        "  {} {} · {} surface {:#x}\n", surface.pid ? std::to_string(surface.pid->value()) : "?",
        surface.comm.empty() ? "?" : surface.comm, surface.api, surface.surface);
    const LatencySummary& interval = surface.interval;
    text += fmt::format("    {} frames · {}\n", surface.frames, late_text(surface));
    text +=
        fmt::format("    {} · interval {}\n", jobs_text(surface),
                    interval.count == 0 ? std::string{"unknown"}
                                        : fmt::format("p50 {}, p99 {}, max {}", human(interval.p50),
                                                      human(interval.p99), human(interval.max)));
    text += fmt::format("    p50 / p99: {} · {}\n", phase_text("in calls", surface.in_calls),
                        phase_text("host queue", surface.host_queue));
    text +=
        fmt::format("               {} · {}\n", phase_text("device queue", surface.device_queue),
                    phase_text("execution", surface.execution));
    return text;
}

std::string frame_lines(const Report& report)
{
    if (report.frames.empty()) {
        return {};
    }
    std::string text = "\nframes\n";
    const std::size_t shown = std::min(report.frames.size(), most_surfaces);
    for (std::size_t index = 0; index < shown; ++index) {
        text += surface_lines(report.frames[index]);
    }
    if (report.frames.size() > shown) {
        text +=
            fmt::format("  {} more surfaces, see --format json\n", report.frames.size() - shown);
    }
    return text;
}

} // namespace lttng_gpu::report
