// SPDX-License-Identifier: MIT
//
// See text_overview.hpp.
#include "text_overview.hpp"

#include "text_format.hpp"
#include "text_frames.hpp"
#include "text_lost.hpp"
#include "text_recording.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

/// "to know more: record --events ..." in one line.
constexpr std::size_t width_of_advice = 72;

std::string without_space(std::string text)
{
    std::erase(text, ' ');
    return text;
}

Rows rows_for(const Report& report, const TextOptions& options)
{
    if (options.top) {
        return {*options.top, *options.top, *options.top, *options.top, *options.top, *options.top};
    }
    Rows rows;
    if (!report.calls.empty()) {
        rows.rings = 6;
        rows.findings = 4;
    }
    if (!report.calls.empty() && report.reasons) {
        rows.rings = 5;
        rows.calls = 4;
        // Sentences take two lines of a narrow screen.
        const bool is_narrow = options.screen.width < Screen::usual_width;
        rows.reasons = is_narrow ? 2 : 3;
        rows.findings = is_narrow ? 2 : 3;
        if (!report.frames.empty()) {
            rows.rings = 4;
            rows.jobs = 3;
            rows.findings = 2;
        }
    }
    // What to record takes a line more there.
    if (report.reasons && options.screen.width < width_of_advice) {
        --rows.reasons;
    }
    if (report.worst) {
        rows.jobs -= std::min<std::size_t>(rows.jobs - 1, 2); // the first has two lines above all
    }
    return rows;
}

/// The answer first: which job, why, and what tells more.
std::string worst_section(const Report& report, const Screen& screen)
{
    if (!report.worst) {
        return {};
    }
    const std::string text = cut_end("worst job: " + report.worst->words, screen.width);
    return screen.painted(text, Ink::Strong) + "\n" +
           screen.painted("why: " + report.worst->command, Ink::Faint) + "\n";
}

} // namespace

std::string short_duration(std::int64_t nanoseconds)
{
    return without_space(human_duration(Duration{nanoseconds}));
}

std::string short_quantile(const LatencySummary& latency, std::int64_t LatencySummary::*quantile)
{
    return latency.count > 0 ? short_duration(latency.*quantile) : std::string{"-"};
}

std::string short_percent(double ratio)
{
    return without_space(human_percent(ratio));
}

std::string short_count(std::uint64_t count)
{
    constexpr std::uint64_t most_in_full = 999'999;
    constexpr double million = 1e6;
    const auto millions = static_cast<double>(count) / million;
    return count <= most_in_full ? std::to_string(count)
           : millions < 1000     ? fmt::format("{:.3g}M", millions)
                                 : fmt::format("{:.3g}G", millions / 1000);
}

double share_of_window(std::int64_t time, const Report& report)
{
    const auto length = static_cast<double>((report.end - report.begin).value());
    return length > 0 ? static_cast<double>(time) / length : 0.0;
}

std::string more_rows(const Screen& screen, std::size_t all, std::size_t shown,
                      std::string_view what)
{
    return all > shown
               ? screen.painted(fmt::format("… {} more {}: --top {}", all - shown, what, all),
                                Ink::Faint) +
                     "\n"
               : std::string{};
}

std::string only_device(const Report& report)
{
    for (const QueueReport& queue : report.queues) {
        if (queue.device != report.queues.front().device) {
            return {};
        }
    }
    return report.queues.empty() ? std::string{} : report.queues.front().device;
}

std::string recorded_section(const Report& report, const Screen& screen)
{
    const auto count_of = [](std::uint64_t count, std::string_view one) {
        return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
    };
    std::string jobs = count_of(report.jobs.all(), "job");
    if (const auto incomplete = report.jobs.all() - report.jobs.complete; incomplete > 0) {
        jobs += fmt::format(" ({} incomplete)", incomplete);
    }
    const bool is_whole = !report.trace.has_losses();
    return fmt::format("{} recorded{} · {} on {} · {} · {}\n",
                       screen.painted(human_duration(report.end - report.begin), Ink::Strong),
                       left_out_text(report), screen.painted(jobs, Ink::Strong),
                       count_of(report.queues.size(), "ring"),
                       count_of(report.trace.events_read, "event"),
                       screen.painted(loss_text(report.trace), is_whole ? Ink::Good : Ink::Bad)) +
           recording_lines(report.recording);
}

std::string overview_text(const Report& report, const TextOptions& options)
{
    const Overview overview{report, options.screen, rows_for(report, options)};
    std::string text = worst_section(report, options.screen);
    text += recorded_section(report, options.screen);
    text += rings_section(overview);
    text += calls_section(overview);
    text += longest_section(overview);
    text += frame_lines(report, options.screen.width);
    text += kernels_section(overview);
    text += reasons_section(overview);
    text += findings_section(overview);
    return text;
}

} // namespace lttng_gpu::report
