// SPDX-License-Identifier: MIT
//
// See command_dependencies.hpp.
#include "command_dependencies.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void CommandDependencies::tell(Dependency dependency, const Job& producer)
{
    const auto started = dependency.until;
    dependency.producer_ring = producer.ring;
    dependency.producer = producer.actor;
    dependency.until = producer.completed;
    if (dependency.until) {
        dependency.until = std::max(*dependency.until, dependency.since);
        dependency.until = started ? std::min(*dependency.until, *started) : dependency.until;
    }
    x_rows.on_dependency(dependency);
}

void CommandDependencies::tell_unended(Dependency dependency)
{
    dependency.until = {};
    x_rows.on_dependency(dependency);
}

void CommandDependencies::await(const Key& producer, const Dependency& dependency)
{
    if (x_count == most_waiters) {
        x_anomalies.count(Anomaly::DependencyDropped);
        return;
    }
    ++x_count;
    x_waiters[producer].push_back(dependency);
}

void CommandDependencies::on_done(const Key& producer, const Job& job)
{
    if (x_waiters.empty()) {
        return;
    }
    const auto found = x_waiters.find(producer);
    if (found == x_waiters.end()) {
        return;
    }
    for (const Dependency& dependency : found->second) {
        tell(dependency, job);
    }
    x_count -= found->second.size();
    x_waiters.erase(found);
}

void CommandDependencies::finish()
{
    for (const auto& [producer, waiters] : x_waiters) {
        for (const Dependency& dependency : waiters) {
            tell_unended(dependency);
        }
    }
    x_waiters.clear();
    x_count = 0;
}

} // namespace lttng_gpu::model
