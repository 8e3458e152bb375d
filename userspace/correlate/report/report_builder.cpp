// SPDX-License-Identifier: MIT
//
// See report_builder.hpp.
#include "report_builder.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lttng_gpu::report {
namespace {

double ratio(double part, Duration whole)
{
    return whole.value() > 0 ? part / static_cast<double>(whole.value()) : 0.0;
}

QueuePhase summarise_queue(const Occupancy& occupancy, Phase phase, Duration length,
                           const LatencyDistribution& latencies)
{
    QueuePhase queue;
    queue.times_by_depth = occupancy.times_by_depth(phase);
    double depth_time = 0;
    for (std::size_t depth = 1; depth < queue.times_by_depth.size(); ++depth) {
        depth_time += static_cast<double>(depth) * static_cast<double>(queue.times_by_depth[depth]);
    }
    queue.depth_mean = ratio(depth_time, length);
    queue.depth_max = queue.times_by_depth.size() - 1;
    queue.latency = latencies.summarise();
    return queue;
}

/// Takes back what rests on starts: a ring that turned out not to be FIFO was none before, either.
void withdraw_starts(Phases& phases, Duration length)
{
    phases.device_queue = QueuePhase{};
    phases.device_queue.times_by_depth = {length.value()};
    phases.execution = ExecutionPhase{};
}

bool has_anything(const Phases& phases)
{
    return phases.host_queue.depth_max > 0 || phases.device_queue.depth_max > 0 ||
           phases.execution.busy > 0;
}

} // namespace

ReportBuilder::ReportBuilder(const model::RingTable& rings, const Window& window)
    : x_rings{rings}, x_window{window}
{
}

void ReportBuilder::on_job(const model::Job& job)
{
    const bool is_counted = x_window.counts(job);
    if (is_counted) {
        count(job);
    }
    if (!job.ring) {
        return; // only its completion was seen, and that does not name the ring
    }
    RingTally& ring = x_tallies.try_emplace(*job.ring, x_window).first->second;
    const ProcessKey process{job.actor.pid, job.actor.comm};
    ring.all.add(job, x_window);
    ring.processes.try_emplace(process, x_window).first->second.add(job, x_window);
    if (is_counted && job.started) {
        ++ring.start_inferred;
    } else if (is_counted && job.submitted && job.completed) {
        ++ring.start_unknown;
    }
}

void ReportBuilder::count(const model::Job& job)
{
    switch (status_of(job)) {
    case model::JobStatus::Complete:
        ++x_counts.complete;
        break;
    case model::JobStatus::NoQueue:
        ++x_counts.no_queue;
        break;
    case model::JobStatus::NoSubmit:
        ++x_counts.no_submit;
        break;
    case model::JobStatus::NoComplete:
        ++x_counts.no_complete;
        break;
    }
}

void ReportBuilder::Tally::add(const model::Job& job, const Window& window)
{
    occupancy.settle(window.clip(first_time(job)));
    if (job.queued && job.submitted) {
        occupancy.add(Phase::HostQueue, *job.queued, *job.submitted);
    }
    if (job.submitted && job.completed) {
        occupancy.add(Phase::Device, *job.submitted, *job.completed);
    }
    if (job.submitted && job.started) {
        occupancy.add(Phase::DeviceQueue, *job.submitted, *job.started);
    }
    if (job.started && job.completed) {
        occupancy.add(Phase::Execution, *job.started, *job.completed);
    }
    if (job.is_alive_at_end) {
        add_alive(job, window);
    }
    if (window.counts(job)) {
        ++jobs;
        add_latencies(job);
    }
}

void ReportBuilder::Tally::add_alive(const model::Job& job, const Window& window)
{
    if (job.submitted) {
        occupancy.add(Phase::Device, *job.submitted, window.end());
    } else if (job.queued) {
        occupancy.add(Phase::HostQueue, *job.queued, window.end());
    }
}

void ReportBuilder::Tally::add_latencies(const model::Job& job)
{
    if (job.queued && job.submitted) {
        host_queue.add(*job.submitted - *job.queued);
    }
    if (job.submitted && job.started) {
        device_queue.add(*job.started - *job.submitted);
    }
    if (job.started && job.completed) {
        execution.add(*job.completed - *job.started);
    }
}

Phases ReportBuilder::Tally::summarise(Duration length)
{
    occupancy.finish();
    Phases phases;
    phases.host_queue = summarise_queue(occupancy, Phase::HostQueue, length, host_queue);
    phases.device_queue = summarise_queue(occupancy, Phase::DeviceQueue, length, device_queue);
    phases.execution.busy = length.value() - occupancy.times_by_depth(Phase::Execution)[0];
    phases.execution.busy_ratio = ratio(static_cast<double>(phases.execution.busy), length);
    phases.execution.latency = execution.summarise();
    return phases;
}

Report ReportBuilder::finish(TraceAccount trace)
{
    Report report{x_window.begin(), x_window.end(), std::move(trace), x_counts, {}};
    for (auto& [id, tally] : x_tallies) {
        report.queues.push_back(make_queue(id, tally));
    }
    std::stable_sort(report.queues.begin(), report.queues.end(),
                     [](const QueueReport& left, const QueueReport& right) {
                         return std::tie(left.device, left.ring) <
                                std::tie(right.device, right.ring);
                     });
    return report;
}

QueueReport ReportBuilder::make_queue(RingId id, RingTally& tally) const
{
    const model::Ring& ring = x_rings.at(id);
    QueueReport queue;
    queue.device = x_rings.text(ring.device);
    queue.ring = x_rings.text(ring.name);
    queue.driver = x_rings.text(ring.driver);
    queue.jobs = tally.all.jobs;
    queue.jobs_start_inferred = tally.start_inferred;
    queue.jobs_start_unknown = tally.start_unknown;
    queue.fifo_violations = ring.fifo_violations;
    queue.promises_order = ring.is_fifo;
    queue.phases = tally.all.summarise(x_window.length());
    queue.states = tally.all.occupancy.states();
    queue.processes = make_processes(tally);
    if (ring.fifo_violations > 0) {
        queue.jobs_start_unknown += std::exchange(queue.jobs_start_inferred, 0);
        withdraw_starts(queue.phases, x_window.length());
        for (ProcessReport& process : queue.processes) {
            withdraw_starts(process.phases, x_window.length());
        }
    }
    return queue;
}

/// Most jobs first; a process without anything in the window is left out.
std::vector<ProcessReport> ReportBuilder::make_processes(RingTally& tally) const
{
    std::vector<ProcessReport> processes;
    for (auto& [key, process] : tally.processes) {
        Phases phases = process.summarise(x_window.length());
        if (process.jobs > 0 || has_anything(phases)) {
            processes.push_back({key.first, std::string{x_rings.text(key.second)}, process.jobs,
                                 std::move(phases)});
        }
    }
    std::stable_sort(processes.begin(), processes.end(),
                     [](const ProcessReport& left, const ProcessReport& right) {
                         return std::tuple{right.jobs, left.pid, std::string_view{left.comm}} <
                                std::tuple{left.jobs, right.pid, std::string_view{right.comm}};
                     });
    return processes;
}

} // namespace lttng_gpu::report
