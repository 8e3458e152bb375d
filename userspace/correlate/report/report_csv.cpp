// SPDX-License-Identifier: MIT
//
// The report as flat CSV: one row per ring (scope "queue"), followed by one row
// per process on it (scope "process"), and one row for each device clock (scope
// "clock"). A cell that says nothing in a scope is empty.
#include "report_sink.hpp"
#include "text_clocks.hpp"
#include "text_format.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::report {
namespace {

/// In the order in which they are written.
constexpr std::array columns = std::to_array<std::string_view>({
    "scope",
    "device",
    "ring",
    "driver",
    "pid",
    "comm",
    "jobs",
    // The host queue
    "host_queue_depth_mean",
    "host_queue_depth_max",
    "host_queue_count",
    "host_queue_min_ns",
    "host_queue_p50_ns",
    "host_queue_p90_ns",
    "host_queue_p99_ns",
    "host_queue_max_ns",
    "host_queue_sum_ns",
    // The device queue
    "device_queue_depth_mean",
    "device_queue_depth_max",
    "device_queue_count",
    "device_queue_min_ns",
    "device_queue_p50_ns",
    "device_queue_p90_ns",
    "device_queue_p99_ns",
    "device_queue_max_ns",
    "device_queue_sum_ns",
    // Execution
    "busy_ns",
    "busy_ratio",
    "execution_count",
    "execution_min_ns",
    "execution_p50_ns",
    "execution_p90_ns",
    "execution_p99_ns",
    "execution_max_ns",
    "execution_sum_ns",
    // The ring
    "idle_ns",
    "host_only_ns",
    "device_only_ns",
    "both_ns",
    "jobs_start_unknown",
    "fifo_violations",
    "jobs_completion_inferred",
    "preemptions",
    "faults",
    // What the process waited for
    "blocked_ns",
    "wait_count",
    "wait_min_ns",
    "wait_p50_ns",
    "wait_p90_ns",
    "wait_p99_ns",
    "wait_max_ns",
    "wait_sum_ns",
    // Largest error of a percentile in the row
    "latency_error_ratio",
    // The device's clock
    "clock_bounds",
    "clock_offset_ns",
    "clock_drift_ppm",
    "clock_error_mean_ns",
    "clock_error_max_ns",
    "clock_times_invalid",
    "clock_drift_error_ppm",
});

/// A row whose cells are set by name.
class Row {
public:
    template <typename T> void set(std::string_view column, const T& value)
    {
        m_cells.at(index_of(column)) = fmt::format("{}", value);
    }
    void set_text(std::string_view column, std::string_view text) { set(column, csv_cell(text)); }

    std::string line() const { return fmt::format("{}\n", fmt::join(m_cells, ",")); }

private:
    static std::size_t index_of(std::string_view column)
    {
        return static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin());
    }

    std::array<std::string, columns.size()> m_cells;
};

void set_latency(Row& row, const std::string& phase, const LatencySummary& latency)
{
    row.set(phase + "_count", latency.count);
    row.set(phase + "_sum_ns", latency.sum);
    if (latency.count > 0) {
        row.set(phase + "_min_ns", latency.min);
        row.set(phase + "_p50_ns", latency.p50);
        row.set(phase + "_p90_ns", latency.p90);
        row.set(phase + "_p99_ns", latency.p99);
        row.set(phase + "_max_ns", latency.max);
    }
}

void set_queue(Row& row, const std::string& name, const QueuePhase& queue, bool is_unknown)
{
    if (!is_unknown) {
        row.set(name + "_depth_mean", queue.depth_mean);
        row.set(name + "_depth_max", queue.depth_max);
    }
    set_latency(row, name, queue.latency);
}

/// What a ring and a process on it have in common.
Row ring_row(std::string_view scope, const QueueReport& queue, std::uint64_t jobs,
             const Phases& phases)
{
    Row row;
    row.set("scope", scope);
    row.set_text("device", queue.device);
    row.set_text("ring", queue.ring);
    row.set_text("driver", queue.driver);
    row.set("jobs", jobs);
    set_queue(row, "host_queue", phases.host_queue, !phases.has_host());
    set_queue(row, "device_queue", phases.device_queue, !phases.has_device());
    if (phases.has_device()) {
        row.set("busy_ns", phases.execution.busy);
        row.set("busy_ratio", phases.execution.busy_ratio);
    }
    set_latency(row, "execution", phases.execution.latency);
    return row;
}

/// The largest error of a percentile in a row.
double error_ratio(const Phases& phases, const LatencySummary& waits)
{
    return std::max({phases.host_queue.latency.error_ratio, phases.device_queue.latency.error_ratio,
                     phases.execution.latency.error_ratio, waits.error_ratio});
}

Row queue_row(const QueueReport& queue)
{
    Row row = ring_row("queue", queue, queue.jobs, queue.phases);
    if (queue.phases.has_states()) {
        row.set("idle_ns", queue.states.idle);
        row.set("host_only_ns", queue.states.host_only);
        row.set("device_only_ns", queue.states.device_only);
        row.set("both_ns", queue.states.both);
    }
    row.set("jobs_start_unknown", queue.jobs_start_unknown);
    row.set("fifo_violations", queue.fifo_violations);
    row.set("jobs_completion_inferred", queue.jobs_completion_inferred);
    row.set("preemptions", queue.preemptions);
    row.set("faults", queue.faults.all());
    row.set("latency_error_ratio", error_ratio(queue.phases, {}));
    return row;
}

Row process_row(const QueueReport& queue, const ProcessReport& process)
{
    Row row = ring_row("process", queue, process.jobs, process.phases);
    if (process.pid) {
        row.set("pid", process.pid->value());
    }
    row.set_text("comm", process.comm);
    row.set("blocked_ns", process.blocked);
    set_latency(row, "wait", process.waits.length);
    row.set("latency_error_ratio", error_ratio(process.phases, process.waits.length));
    return row;
}

Row clock_row(const model::ClockAccount& clock)
{
    constexpr double millionth = 1e6;
    Row row;
    row.set("scope", "clock");
    row.set_text("device", clock.device);
    row.set("driver", clock.api);
    if (clock.pid) {
        row.set("pid", clock.pid->value());
    }
    row.set("jobs", clock.mapped);
    row.set("clock_bounds", clock.bounds);
    if (clock.offset) {
        row.set("clock_offset_ns", clock.offset->value());
    }
    if (clock.drift) {
        row.set("clock_drift_ppm", clock.drift->rate * millionth);
        row.set("clock_drift_error_ppm", clock.drift->error * millionth);
    }
    if (clock.mapped > 0) {
        row.set("clock_error_mean_ns", clock.error_mean);
        row.set("clock_error_max_ns", clock.error_most.value());
    }
    row.set("clock_times_invalid", invalid_times(clock));
    return row;
}

} // namespace

void write_csv(const Report& report, const TextSink& sink)
{
    sink(fmt::format("{}\n", fmt::join(columns, ",")));
    for (const QueueReport& queue : report.queues) {
        sink(queue_row(queue).line());
        for (const ProcessReport& process : queue.processes) {
            sink(process_row(queue, process).line());
        }
    }
    for (const model::ClockAccount& clock : report.trace.clocks) {
        sink(clock_row(clock).line());
    }
}

} // namespace lttng_gpu::report
