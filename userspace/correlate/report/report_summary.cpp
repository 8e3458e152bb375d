// SPDX-License-Identifier: MIT
//
// See report_summary.hpp.
#include "report_summary.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace lttng_gpu::report {
namespace {

double ratio(double part, Duration whole)
{
    return whole.value() > 0 ? part / static_cast<double>(whole.value()) : 0.0;
}

LatencySummary summarise(const LatencyDistribution* distribution)
{
    return distribution != nullptr ? distribution->summarise() : LatencySummary{};
}

WaitSummary summarise(const WaitTally& waits)
{
    return {summarise(waits.length), summarise(waits.wake_up), waits.inferred};
}

void add_depths(QueuePhase& queue, std::vector<std::int64_t> times, Duration length)
{
    queue.times_by_depth = std::move(times);
    double depth_time = 0;
    for (std::size_t depth = 1; depth < queue.times_by_depth.size(); ++depth) {
        depth_time += static_cast<double>(depth) * static_cast<double>(queue.times_by_depth[depth]);
    }
    queue.depth_mean = ratio(depth_time, length);
    queue.depth_max = queue.times_by_depth.size() - 1;
}

/// All but the latencies.
Phases make_phases(const DepthTrack& track, Duration length)
{
    Phases phases;
    add_depths(phases.host_queue, track.host_queue_times(length.value()), length);
    add_depths(phases.device_queue, track.device_queue_times(length.value()), length);
    phases.execution.busy = track.busy();
    phases.execution.busy_ratio = ratio(static_cast<double>(phases.execution.busy), length);
    return phases;
}

/// Takes back what rests on starts: a ring that turned out to be parallel was so before, too.
void withdraw_starts(Phases& phases, Duration length)
{
    phases.device_queue = QueuePhase{};
    phases.device_queue.times_by_depth = {length.value()};
    phases.device_queue.depth_mean_bounds = {0, std::nullopt};
    phases.execution = ExecutionPhase{};
    phases.execution.busy_ratio_bounds = {0, std::nullopt};
}

/// What is known, and with all that may have been besides.
void add_bounds(Phases& phases, const Counted& counted, const RingTally& tally)
{
    const std::int64_t window = counted.length.value();
    const auto bounds = [&](double known, std::int64_t more) {
        const double high = known + ratio(static_cast<double>(more), counted.length);
        return Bounds{known, counted.has_upper_bounds ? std::optional{high} : std::nullopt};
    };
    const auto total = [&](OpenSum UncertainTimes::*phase) {
        return (tally.uncertain.*phase).total(window) + (counted.uncertain.*phase).total(window);
    };
    phases.host_queue.depth_mean_bounds =
        bounds(phases.host_queue.depth_mean, total(&UncertainTimes::host_queue));
    phases.device_queue.depth_mean_bounds =
        bounds(phases.device_queue.depth_mean, total(&UncertainTimes::device_queue));
    phases.execution.busy_ratio_bounds =
        bounds(phases.execution.busy_ratio, tally.uncertain.execution.length(window) +
                                                counted.uncertain.execution.length(window));
    if (auto& high = phases.execution.busy_ratio_bounds.high) {
        *high = std::min(*high, 1.0);
    }
}

bool has_anything(const ProcessReport& process)
{
    const Phases& phases = process.phases;
    return process.jobs > 0 || phases.host_queue.depth_max > 0 ||
           phases.device_queue.depth_max > 0 || phases.execution.busy > 0 ||
           process.waits.length->count > 0 || process.blocked > 0;
}

ProcessReport make_process(const Counted& counted, std::uint32_t number)
{
    const ProcessTally& tally = counted.tallies.process(number);
    ProcessReport process;
    process.pid = tally.actor.pid;
    process.tid = tally.actor.tid;
    process.comm = counted.rings.text(tally.actor.comm);
    process.jobs = tally.jobs;
    process.phases = make_phases(counted.occupancy.process(number), counted.length);
    process.phases.is_unknown = tally.jobs > 0 && tally.without_times == tally.jobs;
    process.phases.host_queue.latency = summarise(tally.host_queue);
    process.phases.device_queue.latency = summarise(tally.device_queue);
    process.phases.execution.latency = summarise(tally.execution);
    process.phases.dependencies = summarise(tally.dependencies);
    process.phases.backend = summarise(tally.backend);
    process.phases.observation = summarise(tally.observation);
    process.phases.on_device = summarise(tally.on_device);
    process.waits = summarise(tally.waits);
    process.blocked = tally.blocked.length();
    return process;
}

/// Most jobs first; a process without anything in the window is left out. What is sorted are the
/// numbers: there may be a million processes, and sorting takes half as much memory again.
std::vector<ProcessReport> make_processes(const Counted& counted, const RingTally& ring)
{
    std::vector<std::uint32_t> numbers = ring.processes;
    std::stable_sort(numbers.begin(), numbers.end(), [&](std::uint32_t left, std::uint32_t right) {
        const ProcessTally& one = counted.tallies.process(left);
        const ProcessTally& other = counted.tallies.process(right);
        const auto ids = std::tie(one.actor.pid, one.actor.tid);
        const auto other_ids = std::tie(other.actor.pid, other.actor.tid);
        if (one.jobs != other.jobs || ids != other_ids) {
            return one.jobs != other.jobs ? one.jobs > other.jobs : ids < other_ids;
        }
        return counted.rings.text(one.actor.comm) < counted.rings.text(other.actor.comm);
    });
    std::vector<ProcessReport> processes;
    processes.reserve(numbers.size());
    for (const std::uint32_t number : numbers) {
        ProcessReport process = make_process(counted, number);
        if (has_anything(process)) {
            processes.push_back(std::move(process));
        }
    }
    return processes;
}

/// Those of the ring are those of its processes.
void add_latencies(Phases& phases, const Counted& counted, const RingTally& ring)
{
    const auto merged = [&](LatencyDistribution* ProcessTally::*part) {
        LatencyDistribution all;
        for (const std::uint32_t number : ring.processes) {
            if (const auto* distribution = counted.tallies.process(number).*part) {
                all.merge(*distribution);
            }
        }
        return all.summarise();
    };
    phases.host_queue.latency = merged(&ProcessTally::host_queue);
    phases.device_queue.latency = merged(&ProcessTally::device_queue);
    phases.execution.latency = merged(&ProcessTally::execution);
    phases.dependencies = merged(&ProcessTally::dependencies);
    phases.backend = merged(&ProcessTally::backend);
    phases.observation = merged(&ProcessTally::observation);
    phases.on_device = merged(&ProcessTally::on_device);
}

DependencyReport make_dependency(const Counted& counted, std::size_t number)
{
    const DependencyTable::Pair& pair = counted.dependencies.pairs()[number];
    const DependencyTable::Count& count = counted.dependencies.count(number);
    const ActorKey& actor = counted.tallies.process(pair.process).actor;
    DependencyReport dependency;
    dependency.pid = actor.pid;
    dependency.tid = actor.tid;
    dependency.comm = counted.rings.text(actor.comm);
    dependency.is_producer_known = pair.producer_ring.has_value();
    if (pair.producer_ring) {
        const model::Ring& ring = counted.rings.at(*pair.producer_ring);
        dependency.producer_device = counted.rings.text(ring.device);
        dependency.producer_ring = counted.rings.text(ring.shown);
    }
    dependency.producer_pid = pair.producer.pid;
    dependency.producer_tid = pair.producer.tid;
    dependency.producer_comm = counted.rings.text(pair.producer.comm);
    dependency.count = count.all;
    dependency.blocking = count.blocking;
    dependency.blocked = count.blocked.length();
    return dependency;
}

/// By number of the ring of the job that waits.
std::vector<std::vector<DependencyReport>> make_dependencies(const Counted& counted)
{
    std::vector<std::vector<DependencyReport>> by_ring(counted.tallies.rings().size());
    for (std::size_t number = 0; number < counted.dependencies.pairs().size(); ++number) {
        const std::uint32_t process = counted.dependencies.pairs()[number].process;
        by_ring[counted.tallies.process(process).ring].push_back(make_dependency(counted, number));
    }
    for (auto& dependencies : by_ring) {
        std::stable_sort(dependencies.begin(), dependencies.end(),
                         [](const DependencyReport& left, const DependencyReport& right) {
                             return std::tie(right.blocked, right.count) <
                                    std::tie(left.blocked, left.count);
                         });
    }
    return by_ring;
}

/// Of each driver in each trace: its rings have the same events.
using ToldByDriver = std::map<std::pair<TraceId, StringId>, ToldMoments>;

ToldByDriver told_by_driver(const Counted& counted)
{
    ToldByDriver told;
    for (const RingTally& tally : counted.tallies.rings()) {
        const model::Ring& ring = counted.rings.at(tally.id);
        told[{ring.trace, ring.driver}].add(tally.told);
    }
    return told;
}

QueueReport make_queue(const Counted& counted, const ToldByDriver& told, std::uint32_t number)
{
    const RingTally& tally = counted.tallies.rings()[number];
    const DepthTrack& track = counted.occupancy.ring(number);
    const model::Ring& ring = counted.rings.at(tally.id);
    QueueReport queue;
    queue.tally = number;
    queue.device = counted.rings.text(ring.device);
    queue.ring = counted.rings.text(ring.shown);
    queue.driver = counted.rings.text(ring.driver);
    queue.latency = tally.latency;
    queue.jobs_start_inferred = tally.start_inferred;
    queue.jobs_start_unknown = tally.start_unknown;
    queue.jobs_completion_inferred = tally.completion_inferred;
    queue.pairs_in_order = ring.pairs_in_order;
    queue.fifo_violations = ring.fifo_violations;
    queue.disorder = ring.disorder;
    queue.preemptions = tally.preemptions;
    queue.faults = tally.faults;
    queue.promises_order = ring.is_fifo;
    queue.is_firmware_scheduled = ring.is_firmware_scheduled;
    queue.phases = make_phases(track, counted.length);
    add_latencies(queue.phases, counted, tally);
    queue.states = track.states(counted.length.value());
    queue.stall =
        tally.stall.finish(counted.end, [&](StringId text) { return counted.rings.text(text); });
    if (number < DepthCurve::most_curves) {
        queue.over_time = tally.curve.over(counted.length);
    }
    queue.processes = make_processes(counted, tally);
    for (const ProcessReport& process : queue.processes) {
        queue.jobs += process.jobs;
    }
    for (const std::uint32_t process : tally.processes) {
        queue.jobs_without_times += counted.tallies.process(process).without_times;
    }
    queue.phases.is_unknown = queue.jobs > 0 && queue.jobs_without_times == queue.jobs;
    const ToldMoments& moments = told.at({ring.trace, ring.driver});
    queue.phases.told = moments;
    for (ProcessReport& process : queue.processes) {
        process.phases.told = moments;
    }
    add_bounds(queue.phases, counted, tally);
    const bool is_parallel = std::any_of(ring.disorder.begin(), ring.disorder.end(),
                                         [](const auto& part) { return part.is_parallel(); });
    if (is_parallel && !ring.is_order_known) {
        queue.jobs_start_unknown += std::exchange(queue.jobs_start_inferred, 0);
        withdraw_starts(queue.phases, counted.length);
        for (ProcessReport& process : queue.processes) {
            withdraw_starts(process.phases, counted.length);
        }
    }
    return queue;
}

/// By device and name.
std::vector<std::uint32_t> in_order(const Counted& counted)
{
    std::vector<std::uint32_t> numbers(counted.tallies.rings().size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    const auto names = [&](std::uint32_t number) {
        const model::Ring& ring = counted.rings.at(counted.tallies.rings()[number].id);
        return std::pair{counted.rings.text(ring.device), counted.rings.text(ring.shown)};
    };
    std::stable_sort(numbers.begin(), numbers.end(), [&](std::uint32_t left, std::uint32_t right) {
        return names(left) < names(right);
    });
    return numbers;
}

} // namespace

std::vector<QueueReport> make_queues(const Counted& counted, Workers* workers)
{
    const std::vector<std::uint32_t> numbers = in_order(counted);
    std::vector<QueueReport> queues(numbers.size());
    const ToldByDriver told = told_by_driver(counted);
    auto dependencies = make_dependencies(counted);
    // A task for each of a million rings would take as much memory as some of their tables.
    constexpr std::size_t at_once = 256;
    const auto make = [&](std::size_t part) {
        const std::size_t end = std::min((part + 1) * at_once, numbers.size());
        for (std::size_t place = part * at_once; place < end; ++place) {
            queues[place] = make_queue(counted, told, numbers[place]);
            queues[place].dependencies = std::move(dependencies[numbers[place]]);
        }
    };
    const std::size_t parts = (numbers.size() + at_once - 1) / at_once;
    if (workers != nullptr) {
        workers->for_each(parts, make);
    } else {
        for (std::size_t part = 0; part < parts; ++part) {
            make(part);
        }
    }
    return queues;
}

std::vector<ForeignWaits> make_foreign_waits(const model::RingTable& texts,
                                             const std::vector<ActorKey>& actors,
                                             const std::vector<WaitTally>& waits)
{
    std::vector<ForeignWaits> result;
    for (std::size_t number = 0; number < actors.size(); ++number) {
        result.push_back({actors[number].pid, actors[number].tid,
                          std::string{texts.text(actors[number].comm)}, summarise(waits[number])});
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const ForeignWaits& left, const ForeignWaits& right) {
                         return left.waits.length->sum > right.waits.length->sum;
                     });
    return result;
}

} // namespace lttng_gpu::report
