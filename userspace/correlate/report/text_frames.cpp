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

/// Broken between words where it is too long, with the same space before each line.
std::string indented(std::string_view text, std::size_t indent, std::size_t width)
{
    const std::size_t room = width > indent + Screen::usual_width / 4 ? width - indent : width;
    std::string result;
    for (const char letter : wrapped(text, room)) {
        result += letter;
        result.append(letter == '\n' ? indent : 0, ' ');
    }
    return result;
}

/// What stands beside each other where there is room, else below each other; `begin` is before the
/// first.
std::string fitted(std::string_view begin, const std::vector<std::string>& pieces,
                   std::size_t width)
{
    constexpr std::string_view between = " · ";
    std::string text;
    std::string line{begin};
    bool is_empty = true;
    for (const std::string& piece : pieces) {
        if (!is_empty && columns_of(line.substr(line.rfind('\n') + 1)) + columns_of(between) +
                                 columns_of(piece) >
                             width) {
            text += line + '\n';
            line.assign(begin.size(), ' ');
            is_empty = true;
        }
        line += is_empty ? "" : between;
        line += is_empty ? indented(piece, begin.size(), width) : piece;
        is_empty = false;
    }
    return text + line + '\n';
}

} // namespace

std::string surface_lines(const SurfaceReport& surface, std::size_t width)
{
    const LatencySummary& interval = surface.interval;
    std::vector<std::string> on_device{phase_text("device queue", surface.device_queue),
                                       phase_text("execution", surface.execution)};
    if (surface.gpu.count > 0) {
        on_device.push_back(phase_text("GPU", surface.gpu));
    }
    const std::string interval_text =
        interval.count == 0 ? std::string{"interval unknown"}
                            : fmt::format("interval p50 {}, p99 {}, max {}", human(interval.p50),
                                          human(interval.p99), human(interval.max));
    return fitted("  ",
                  {fmt::format("{} {}", surface.pid ? std::to_string(surface.pid->value()) : "?",
                               surface.comm.empty() ? "?" : surface.comm),
                   fmt::format("{} surface {:#x}", surface.api, surface.surface)},
                  width) +
           fitted("    ", {fmt::format("{} frames", surface.frames), late_text(surface)}, width) +
           fitted("    ", {jobs_text(surface), interval_text}, width) +
           fitted("    p50 / p99: ",
                  {phase_text("in calls", surface.in_calls),
                   phase_text("of that on a CPU", surface.in_calls_on_cpu),
                   phase_text("host queue", surface.host_queue)},
                  width) +
           fitted("               ", on_device, width);
}

std::string frame_lines(const Report& report, std::size_t width)
{
    if (report.frames.empty()) {
        return {};
    }
    std::string text = "\nframes\n";
    const std::size_t shown = std::min(report.frames.size(), most_surfaces);
    for (std::size_t index = 0; index < shown; ++index) {
        text += surface_lines(report.frames[index], width);
    }
    if (report.frames.size() > shown) {
        text +=
            fmt::format("  {} more surfaces, see --format json\n", report.frames.size() - shown);
    }
    return text;
}

} // namespace lttng_gpu::report
