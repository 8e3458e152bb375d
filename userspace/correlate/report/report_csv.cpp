// SPDX-License-Identifier: MIT
//
// The report as flat CSV: one row per ring (scope "queue"), followed by one row
// per process on it (scope "process"), whose cells for facts of the ring as a
// whole are empty, and one row for each device clock (scope "clock").
#include "report_sink.hpp"
#include "text_clocks.hpp"
#include "text_format.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::report {
namespace {

std::string latency_header(std::string_view phase)
{
    return fmt::format(",{0}_count,{0}_min_ns,{0}_p50_ns,{0}_p90_ns,{0}_p99_ns,{0}_max_ns,"
                       "{0}_sum_ns",
                       phase);
}

std::string header()
{
    return "scope,device,ring,driver,pid,comm,jobs,host_queue_depth_mean,host_queue_depth_max" +
           latency_header("host_queue") + ",device_queue_depth_mean,device_queue_depth_max" +
           latency_header("device_queue") + ",busy_ns,busy_ratio" + latency_header("execution") +
           ",idle_ns,host_only_ns,device_only_ns,both_ns,jobs_start_unknown,fifo_violations,"
           "jobs_completion_inferred,preemptions,faults,blocked_ns" +
           latency_header("wait") +
           ",latency_error_ratio,clock_bounds,clock_offset_ns,clock_drift_ppm,clock_error_mean_ns,"
           "clock_error_max_ns,clock_times_invalid\n";
}

std::string latency_cells(const LatencySummary& latency)
{
    if (latency.count == 0) {
        return ",0,,,,,,0";
    }
    return fmt::format(",{},{},{},{},{},{},{}", latency.count, latency.min, latency.p50,
                       latency.p90, latency.p99, latency.max, latency.sum);
}

std::string queue_cells(const QueuePhase& queue)
{
    return fmt::format(",{},{}", queue.depth_mean, queue.depth_max) + latency_cells(queue.latency);
}

std::string phase_cells(const Phases& phases)
{
    return queue_cells(phases.host_queue) + queue_cells(phases.device_queue) +
           fmt::format(",{},{}", phases.execution.busy, phases.execution.busy_ratio) +
           latency_cells(phases.execution.latency);
}

/// The largest error of a percentile in a row.
double error_ratio(const Phases& phases, const LatencySummary& waits)
{
    return std::max({phases.host_queue.latency.error_ratio, phases.device_queue.latency.error_ratio,
                     phases.execution.latency.error_ratio, waits.error_ratio});
}

std::string ring_cells(const QueueReport& queue)
{
    return fmt::format("{},{},{}", csv_cell(queue.device), csv_cell(queue.ring),
                       csv_cell(queue.driver));
}

/// All that is not about a clock is empty.
std::string clock_row(const model::ClockAccount& clock, std::ptrdiff_t commas)
{
    constexpr double millionth = 1e6;
    constexpr std::ptrdiff_t commas_used = 12;
    const bool is_mapped = clock.mapped > 0;
    return fmt::format("clock,{},,{},{},,{}{},{},{},{},{},{},{}\n", csv_cell(clock.device),
                       clock.api, clock.pid ? std::to_string(clock.pid->value()) : "", clock.mapped,
                       std::string(static_cast<std::size_t>(commas - commas_used), ','),
                       clock.bounds, clock.offset ? std::to_string(clock.offset->value()) : "",
                       clock.drift ? fmt::format("{}", *clock.drift * millionth) : "",
                       is_mapped ? fmt::format("{}", clock.error_mean) : "",
                       is_mapped ? std::to_string(clock.error_most.value()) : "",
                       invalid_times(clock));
}

} // namespace

std::string report_csv(const Report& report)
{
    std::string text = header();
    for (const QueueReport& queue : report.queues) {
        text += fmt::format("queue,{},,,{}{},{},{},{},{},{},{},{},{},{},,,,,,,,,{},,,,,,\n",
                            ring_cells(queue), queue.jobs, phase_cells(queue.phases),
                            queue.states.idle, queue.states.host_only, queue.states.device_only,
                            queue.states.both, queue.jobs_start_unknown, queue.fifo_violations,
                            queue.jobs_completion_inferred, queue.preemptions, queue.faults.all(),
                            error_ratio(queue.phases, {}));
        for (const ProcessReport& process : queue.processes) {
            const std::string pid = process.pid ? std::to_string(process.pid->value()) : "";
            text +=
                fmt::format("process,{},{},{},{}{},,,,,,,,,,{}{},{},,,,,,\n", ring_cells(queue),
                            pid, csv_cell(process.comm), process.jobs, phase_cells(process.phases),
                            process.blocked, latency_cells(process.waits.length),
                            error_ratio(process.phases, process.waits.length));
        }
    }
    for (const model::ClockAccount& clock : report.trace.clocks) {
        text += clock_row(clock, std::ranges::count(text.substr(0, text.find('\n')), ','));
    }
    return text;
}

} // namespace lttng_gpu::report
