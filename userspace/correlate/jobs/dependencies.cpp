// SPDX-License-Identifier: MIT
//
// See dependencies.hpp. Fences are found by the low halves of their numbers, as
// upstream's dma_fence events have no more.
#include "dependencies.hpp"

namespace lttng_gpu::model {
namespace {

constexpr std::uint32_t low_half(std::uint64_t value)
{
    return static_cast<std::uint32_t>(value);
}

} // namespace

std::uint64_t Dependencies::hash_of(const JobKey& fence)
{
    return mix_hash(mix_hash(fence.trace.value(), low_half(fence.timeline)), low_half(fence.seqno));
}

void Dependencies::add(Timestamp time, JobIndex job, const JobKey& fence, bool is_blocking)
{
    if (m_edges.size() - m_free.size() >= most_edges) {
        m_anomalies.count(Anomaly::DependencyDropped);
        return;
    }
    if (m_free.empty()) {
        m_free.push_back(static_cast<std::uint32_t>(m_edges.size()));
        m_edges.emplace_back();
    }
    const std::uint32_t index = m_free.back();
    m_free.pop_back();
    TrackedJob& waiting = m_jobs[job];
    Edge& edge = m_edges[index];
    edge = {{}, fence, job, waiting.first_edge, true};
    waiting.first_edge = index;
    Dependency& dependency = edge.dependency;
    dependency.ring = waiting.job.ring;
    dependency.job = waiting.job.fence;
    dependency.actor = waiting.job.actor;
    dependency.waits_for = {FenceContext{fence.timeline}, FenceSeqno{fence.seqno}};
    dependency.since = time;
    dependency.is_blocking = is_blocking;
    m_waiting.insert(hash_of(edge.fence), edge.fence, index);

    const JobIndex producer = m_jobs.find(fence);
    if (producer != no_job) {
        dependency.producer_ring = m_jobs[producer].job.ring;
        dependency.producer = m_jobs[producer].job.actor;
        if (m_jobs[producer].state == JobState::Done && m_jobs[producer].job.completed) {
            unlink(index);
            hand_on(index, time); // it was over before it began to matter
        }
    }
}

void Dependencies::end_all(Timestamp time, const JobKey& fence)
{
    const std::uint64_t hash = hash_of(fence);
    const auto is_same = [&](const JobKey& other, std::uint32_t) { return is_match(other, fence); };
    while (const std::uint32_t* found = m_waiting.find_if(hash, is_same)) {
        const std::uint32_t edge = *found;
        unlink(edge);
        hand_on(edge, time);
    }
}

void Dependencies::end_job(std::optional<Timestamp> time, JobIndex job)
{
    while (m_jobs[job].first_edge != no_job) {
        const std::uint32_t edge = m_jobs[job].first_edge;
        m_jobs[job].first_edge = m_edges[edge].next;
        hand_on(edge, time);
    }
}

/// Takes the edge out of its job's list.
void Dependencies::unlink(std::uint32_t edge)
{
    std::uint32_t* link = &m_jobs[m_edges[edge].job].first_edge;
    while (*link != edge) {
        link = &m_edges[*link].next;
    }
    *link = m_edges[edge].next;
}

void Dependencies::hand_on(std::uint32_t index, std::optional<Timestamp> time)
{
    Edge& edge = m_edges[index];
    m_waiting.erase_if(hash_of(edge.fence),
                       [&](const JobKey&, std::uint32_t other) { return other == index; });
    edge.dependency.until = time;
    edge.is_used = false;
    m_free.push_back(index);
    m_sink.on_dependency(edge.dependency);
}

} // namespace lttng_gpu::model
