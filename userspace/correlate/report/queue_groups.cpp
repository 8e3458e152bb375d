// SPDX-License-Identifier: MIT
//
// See queue_groups.hpp.
#include "queue_groups.hpp"

#include "../base/apis.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace lttng_gpu::report {
namespace {

/// Device, driver and process of a queue. A queue of several processes is in no group.
using GroupKey = std::tuple<std::string, std::string, std::optional<Pid>>;

std::optional<GroupKey> group_of(const QueueReport& queue)
{
    if (find_api(queue.driver) == nullptr || queue.processes.empty()) {
        return {};
    }
    const std::optional<Pid> pid = queue.processes.front().pid;
    const bool is_of_one = std::ranges::all_of(
        queue.processes, [&](const ProcessReport& process) { return process.pid == pid; });
    return is_of_one && pid ? std::optional{GroupKey{queue.device, queue.driver, pid}}
                            : std::nullopt;
}

LatencySummary merged(const Counted& counted, const std::vector<QueueReport>& queues,
                      const QueueGroup& group, LatencyDistribution* ProcessTally::*phase)
{
    LatencyDistribution all;
    for (const std::size_t place : group.queues) {
        for (const std::uint32_t number : counted.tallies.rings()[queues[place].tally].processes) {
            if (const auto* distribution = counted.tallies.process(number).*phase) {
                all.merge(*distribution);
            }
        }
    }
    return all.summarise();
}

void sum_up(const Counted& counted, const std::vector<QueueReport>& queues, QueueGroup& group)
{
    std::uint64_t most_jobs = 0;
    for (const std::size_t place : group.queues) {
        const QueueReport& queue = queues[place];
        group.jobs += queue.jobs;
        group.host_depth_max = std::max(group.host_depth_max, queue.phases.host_queue.depth_max);
        group.busy_sum += queue.phases.execution.busy;
        group.has_device = group.has_device && queue.phases.has_device();
        group.over_time.add(queue.over_time);
        for (const ProcessReport& process : queue.processes) {
            if (process.jobs > most_jobs) {
                most_jobs = process.jobs;
                group.comm = process.comm;
            }
        }
    }
    group.host_queue = merged(counted, queues, group, &ProcessTally::host_queue);
    group.device_queue = merged(counted, queues, group, &ProcessTally::device_queue);
    group.execution = merged(counted, queues, group, &ProcessTally::execution);
}

} // namespace

std::vector<QueueGroup> make_groups(const Counted& counted, const std::vector<QueueReport>& queues)
{
    std::map<GroupKey, QueueGroup> found;
    for (std::size_t place = 0; place < queues.size(); ++place) {
        if (const auto key = group_of(queues[place])) {
            found[*key].queues.push_back(place);
        }
    }
    std::vector<QueueGroup> groups;
    for (auto& [key, group] : found) {
        if (group.queues.size() < 2) {
            continue;
        }
        std::tie(group.device, group.driver, group.pid) = key;
        sum_up(counted, queues, group);
        groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace lttng_gpu::report
