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
    m_rows.on_dependency(dependency);
}

void CommandDependencies::tell_unended(Dependency dependency)
{
    dependency.until = {};
    m_rows.on_dependency(dependency);
}

void CommandDependencies::await(const Key& producer, const Dependency& dependency)
{
    if (m_count == most_waiters) {
        m_anomalies.count(Anomaly::DependencyDropped);
        return;
    }
    ++m_count;
    m_waiters[producer].push_back(dependency);
}

void CommandDependencies::on_done(const Key& producer, const Job& job)
{
    if (m_waiters.empty()) {
        return;
    }
    const auto found = m_waiters.find(producer);
    if (found == m_waiters.end()) {
        return;
    }
    for (const Dependency& dependency : found->second) {
        tell(dependency, job);
    }
    m_count -= found->second.size();
    m_waiters.erase(found);
}

void CommandDependencies::finish()
{
    for (const auto& [producer, waiters] : m_waiters) {
        for (const Dependency& dependency : waiters) {
            tell_unended(dependency);
        }
    }
    m_waiters.clear();
    m_count = 0;
}

} // namespace lttng_gpu::model
