// SPDX-License-Identifier: MIT
//
// See text_details.hpp.
#include "text_details.hpp"

#include "text_format.hpp"
#include "text_recording.hpp"
#include "text_relations.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace lttng_gpu::report {
namespace {

double share(std::int64_t part, const Report& report)
{
    const auto length = static_cast<double>((report.end - report.begin).value());
    return length > 0 ? static_cast<double>(part) / length : 0.0;
}

std::string human_ns(std::int64_t nanoseconds)
{
    return human_duration(Duration{nanoseconds});
}

/// A bar of at most `width` cells in eighths of a cell.
std::string bar(double ratio, std::size_t width)
{
    constexpr std::array<std::string_view, 8> parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    auto eighths = static_cast<std::size_t>(std::lround(ratio * static_cast<double>(width) * 8.0));
    if (eighths == 0 && ratio > 0) {
        eighths = 1; // something is not nothing
    }
    std::string text;
    for (std::size_t cell = 0; cell < eighths / 8; ++cell) {
        text += "█";
    }
    return text + std::string{parts[eighths % 8]};
}

std::string start_note(const QueueReport& queue)
{
    if (queue.jobs_start_inferred == 0 && queue.jobs_start_unknown == 0) {
        return {};
    }
    if (queue.jobs_start_inferred == 0) {
        return fmt::format("  start times unknown for {} jobs\n", queue.jobs_start_unknown);
    }
    return fmt::format("  start times inferred (FIFO) for {} jobs, unknown for {}\n",
                       queue.jobs_start_inferred, queue.jobs_start_unknown);
}

/// Without a start, execution and device queue of a job are one; nothing is shown in their place.
bool has_known_starts(const QueueReport& queue)
{
    return queue.jobs_start_unknown == 0 || queue.jobs_start_inferred > 0;
}

/// "15.1 %", "15.1 % to 16.0 %" where something is missing, "≥ 15.1 %" where nothing bounds it.
std::string busy_text(const QueueReport& queue)
{
    const Bounds& bounds = queue.phases.execution.busy_ratio_bounds;
    const std::string low = human_percent(bounds.low);
    if (!bounds.high) {
        return "≥ " + low;
    }
    const std::string high = human_percent(*bounds.high);
    return low == high ? low : low + " to " + high;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// "  3 preemptions · 1 job timed out · ends inferred for 2 jobs", or nothing.
std::string event_note(const QueueReport& queue)
{
    std::vector<std::string> parts;
    if (queue.preemptions > 0) {
        parts.push_back(counted(queue.preemptions, "preemption", "preemptions"));
    }
    const auto add_fault = [&](std::uint64_t count, std::string_view what) {
        if (count > 0) {
            parts.push_back(fmt::format("{} {}", counted(count, "job", "jobs"), what));
        }
    };
    add_fault(queue.faults.timed_out, "timed out");
    add_fault(queue.faults.error, "failed");
    add_fault(queue.faults.banned, "banned");
    if (queue.jobs_completion_inferred > 0) {
        parts.push_back("ends inferred for " +
                        counted(queue.jobs_completion_inferred, "job", "jobs"));
    }
    return parts.empty() ? std::string{} : fmt::format("  {}\n", fmt::join(parts, " · "));
}

struct DepthBucket {
    const char* name;
    std::size_t first;
    std::size_t last;
};
constexpr std::array<DepthBucket, 6> depth_buckets{{
    {"0", 0, 0},
    {"1", 1, 1},
    {"2", 2, 2},
    {"3", 3, 3},
    {"4-7", 4, 7},
    {"8+", 8, ~std::size_t{0}},
}};

std::int64_t time_in(const QueuePhase& queue, const DepthBucket& bucket)
{
    std::int64_t sum = 0;
    for (std::size_t depth = bucket.first;
         depth < queue.times_by_depth.size() && depth <= bucket.last; ++depth) {
        sum += queue.times_by_depth[depth];
    }
    return sum;
}

/// "63.0 % ██████▎", or nothing when the depth never occurred.
std::string depth_cell(const Report& report, const QueuePhase& queue, const DepthBucket& bucket)
{
    constexpr std::size_t bar_width = 24;
    const double ratio = share(time_in(queue, bucket), report);
    if (ratio == 0) {
        return {};
    }
    return fmt::format("{:>8} {}", human_percent(ratio), bar(ratio, bar_width));
}

std::string depth_title(std::string_view name, const QueuePhase& queue)
{
    const Bounds& bounds = queue.depth_mean_bounds;
    const std::string low = fmt::format("{:.2f}", queue.depth_mean);
    const std::string high = bounds.high ? fmt::format("{:.2f}", *bounds.high) : "";
    const std::string mean = !bounds.high ? "≥ " + low : high == low ? low : low + " to " + high;
    return fmt::format("{}: mean {}, max {}", name, mean, queue.depth_max);
}

std::string depth_lines(const Report& report, const QueueReport& queue)
{
    const Phases& phases = queue.phases;
    const bool has_device_queue = has_known_starts(queue) && phases.has_device();
    std::string text = fmt::format(
        "  {:<8} {:<36} {}\n", "depth",
        phases.has_host() ? depth_title("host queue", phases.host_queue) : "host queue: unknown",
        has_device_queue      ? depth_title("device queue", phases.device_queue)
        : phases.has_device() ? "device queue: unknown (no start times)"
                              : "device queue: unknown");
    for (const DepthBucket& bucket : depth_buckets) {
        const std::string host =
            phases.has_host() ? depth_cell(report, phases.host_queue, bucket) : "";
        const std::string device =
            has_device_queue ? depth_cell(report, phases.device_queue, bucket) : "";
        if (!host.empty() || !device.empty()) {
            text += device.empty()
                        ? fmt::format("  {:>5}    {}\n", bucket.name, host)
                        : fmt::format("  {:>5}    {:<36} {}\n", bucket.name, host, device);
        }
    }
    return text;
}

std::string latency_line(std::string_view phase, const LatencySummary& latency)
{
    if (latency.count == 0) {
        return fmt::format("  {:<14} {:>9} {:>11} {:>11} {:>11} {:>11} {:>11}\n", phase, 0, "-",
                           "-", "-", "-", "-");
    }
    return fmt::format("  {:<14} {:>9} {:>11} {:>11} {:>11} {:>11} {:>11}\n", phase, latency.count,
                       human_ns(latency.min), human_ns(latency.p50), human_ns(latency.p90),
                       human_ns(latency.p99), human_ns(latency.max));
}

std::string optional_latency_line(std::string_view phase, const LatencySummary& latency)
{
    return latency.count > 0 ? latency_line(phase, latency) : std::string{};
}

std::string latency_lines(const Phases& phases)
{
    const double error =
        std::max({phases.host_queue.latency.error_ratio, phases.device_queue.latency.error_ratio,
                  phases.execution.latency.error_ratio});
    return fmt::format("  {:<14} {:>9} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "latency", "count",
                       "min", "p50", "p90", "p99", "max") +
           latency_line("host queue", phases.host_queue.latency) +
           optional_latency_line("  dependencies", phases.dependencies) +
           optional_latency_line("  backend", phases.backend) +
           latency_line("device queue", phases.device_queue.latency) +
           latency_line("execution", phases.execution.latency) +
           optional_latency_line("both, unsplit", phases.on_device) +
           optional_latency_line("until observed", phases.observation) +
           (error > 0 ? fmt::format("  p50, p90 and p99 are within {:.2} % (too many jobs to keep "
                                    "each latency)\n",
                                    error * 100)
                      : "");
}

std::string process_lines(const QueueReport& queue)
{
    const std::vector<ProcessReport>& processes = queue.processes;
    std::string text =
        fmt::format("  {:>8} {:<18} {:>8} {:>7} {:>8} {:>10} {:>8} {:>10} {:>10}\n", "pid", "comm",
                    "jobs", "busy", "host q", "p50", "device q", "p50", "exec p50");
    const std::size_t shown = std::min(processes.size(), longest_list);
    for (std::size_t index = 0; index < shown; ++index) {
        const ProcessReport& process = processes[index];
        const Phases& phases = process.phases;
        const auto p50 = [](const LatencySummary& latency) {
            return latency.count > 0 ? human_ns(latency.p50) : std::string{"-"};
        };
        const bool has_starts = phases.execution.latency.count > 0;
        text += fmt::format(
            "  {:>8} {:<18} {:>8} {:>7} {:>8} {:>10} {:>8} {:>10} {:>10}\n",
            process.pid ? std::to_string(process.pid->value()) : "?",
            shortened(thread_name(process.comm, process.tid), 18), process.jobs,
            has_starts ? human_percent(phases.execution.busy_ratio) : "-",
            phases.has_host() ? fmt::format("{:.2f}", phases.host_queue.depth_mean) : "-",
            p50(phases.host_queue.latency),
            has_starts ? fmt::format("{:.2f}", phases.device_queue.depth_mean) : "-",
            p50(phases.device_queue.latency), p50(phases.execution.latency));
    }
    if (processes.size() > shown) {
        text += fmt::format("  {:>8} {} more, see --top or --format json\n", "...",
                            processes.size() - shown);
    }
    return text;
}

/// Jobs of which only the call is known.
std::string unknown_note(const QueueReport& queue)
{
    return queue.jobs_without_times == 0
               ? std::string{}
               : fmt::format("  times unknown for {} of {} jobs, which are in no figure below\n",
                             queue.jobs_without_times, queue.jobs);
}

/// No time of any job: nothing of the ring's load is known.
std::string unknown_ring_text(const Report& report, const QueueReport& queue)
{
    std::string text =
        fmt::format("\n{}\n  {} jobs · busy unknown · GPU idle while jobs waited unknown\n",
                    ring_title(queue), queue.jobs);
    text += unknown_note(queue) + event_note(queue);
    if (!queue.processes.empty()) {
        text += "\n" + process_lines(queue);
    }
    return text + dependency_lines(queue, report.end - report.begin) + wait_lines(queue);
}

} // namespace

std::string ring_title(const QueueReport& queue)
{
    return fmt::format("{} {}{}", queue.device.empty() ? "unknown device" : queue.device,
                       queue.ring, queue.driver.empty() ? "" : " (" + queue.driver + ")");
}

namespace {

std::string load_line(const Report& report, const QueueReport& queue)
{
    const std::string starved =
        queue.phases.has_states()
            ? fmt::format("{} ({})", human_ns(queue.states.host_only),
                          human_percent(share(queue.states.host_only, report)))
            : "unknown";
    return fmt::format("  {} jobs · busy {} · GPU idle while jobs waited {}\n", queue.jobs,
                       queue.phases.has_device() ? busy_text(queue) : "unknown", starved);
}

std::string occupied_line(const Report& report, const QueueReport& queue)
{
    if (!queue.phases.has_states()) {
        return fmt::format("  occupied: unknown, {}\n", unknown_words(queue.phases));
    }
    return fmt::format("  occupied: host only {} · device only {} · both {} · idle {}\n",
                       human_percent(share(queue.states.host_only, report)),
                       human_percent(share(queue.states.device_only, report)),
                       human_percent(share(queue.states.both, report)),
                       human_percent(share(queue.states.idle, report)));
}

} // namespace

std::string ring_text(const Report& report, const QueueReport& queue)
{
    if (queue.phases.is_unknown) {
        return unknown_ring_text(report, queue);
    }
    std::string text = fmt::format("\n{}\n", ring_title(queue));
    text += load_line(report, queue);
    text += unknown_note(queue) + start_note(queue) + event_note(queue);
    text += occupied_line(report, queue) + "\n";
    text += depth_lines(report, queue) + "\n" + latency_lines(queue.phases);
    if (!queue.processes.empty()) {
        text += "\n" + process_lines(queue);
    }
    return text + dependency_lines(queue, report.end - report.begin) + wait_lines(queue);
}

} // namespace lttng_gpu::report
