// SPDX-License-Identifier: MIT
//
// See relations.hpp.
#include "relations.hpp"

#include <algorithm>

namespace lttng_gpu::view {

std::uint64_t Relations::hash_of(Known<RingId> ring, const model::FenceId& fence)
{
    const std::uint64_t place = ring ? ring->value() : UINT32_MAX;
    const std::uint64_t context = fence.context ? fence.context->value() : UINT64_MAX;
    return mix_hash(mix_hash(mix_hash(0, place), context), fence.seqno ? fence.seqno->value() : 0);
}

void Relations::add_job(const model::Job& job, std::uint64_t number)
{
    if (job.fence.seqno && job.interval == 0) {
        m_jobs.push_back({hash_of(job.ring, job.fence), number});
    }
}

void Relations::add_dependency(const model::Dependency& dependency)
{
    if (m_links.size() >= most) {
        ++m_left_out;
        return;
    }
    Link link;
    link.waiter_fence = hash_of(dependency.ring, dependency.job);
    link.producer_fence =
        dependency.producer_ring ? hash_of(dependency.producer_ring, dependency.waits_for) : none;
    link.since = dependency.since;
    link.until = dependency.until;
    link.context = m_names.context(dependency.waits_for.context);
    link.seqno = dependency.waits_for.seqno ? dependency.waits_for.seqno->value() + 1 : 0;
    link.is_blocking = dependency.is_blocking;
    m_links.push_back(link);
}

void Relations::add_wait(const model::Wait& wait)
{
    if (m_sleeps.size() >= most) {
        ++m_waits_left_out;
        return;
    }
    Sleep sleep;
    sleep.wait = wait;
    sleep.actor = m_names.actor(wait.actor);
    sleep.context = m_names.context(wait.fence.context);
    sleep.fence = wait.ring ? hash_of(wait.ring, wait.fence) : none;
    m_sleeps.push_back(sleep);
}

std::uint64_t Relations::job_of(std::uint64_t fence) const
{
    const auto found = std::ranges::lower_bound(m_jobs, fence, {}, &KnownJob::fence);
    return found != m_jobs.end() && found->fence == fence ? found->number : none;
}

void Relations::sort_jobs()
{
    std::ranges::sort(m_jobs, {}, &KnownJob::fence);
}

std::optional<std::uint64_t> Relations::number_of(Known<RingId> ring,
                                                  const model::FenceId& fence) const
{
    const std::uint64_t job = fence.seqno ? job_of(hash_of(ring, fence)) : none;
    return job == none ? std::nullopt : std::optional{job};
}

void Relations::finish(Timestamp origin, const std::function<std::uint64_t(RingId)>& ring_number)
{
    if (!m_links.empty() || !m_sleeps.empty()) {
        sort_jobs();
        finish_dependencies(origin);
        finish_waits(origin, ring_number);
    }
    m_jobs = {};
    m_links = {};
    m_sleeps = {};
}

void Relations::finish_dependencies(Timestamp origin)
{
    for (Link& link : m_links) {
        link.waiter = job_of(link.waiter_fence);
        link.producer = link.producer_fence == none ? none : job_of(link.producer_fence);
    }
    m_left_out += std::erase_if(m_links, [](const Link& link) { return link.waiter == none; });
    std::ranges::stable_sort(m_links, {}, &Link::waiter);
    for (std::size_t begin = 0; begin < m_links.size(); begin += jobs_of_chunk) {
        const std::size_t end = std::min<std::size_t>(begin + jobs_of_chunk, m_links.size());
        std::array<Packed, 7> columns;
        std::int64_t waiter = 0;
        for (std::size_t place = begin; place < end; ++place) {
            const Link& link = m_links[place];
            const auto number = static_cast<std::int64_t>(link.waiter);
            const std::int64_t since = (link.since - origin).value();
            columns[0].add_signed(number - waiter);
            columns[1].add_signed(link.producer == none ? -1
                                                        : static_cast<std::int64_t>(link.producer));
            columns[2].add_signed(since);
            columns[3].add_signed(link.until ? (*link.until - link.since).value() : -1);
            columns[4].add(link.context);
            columns[5].add(link.seqno);
            columns[6].add_byte(link.is_blocking ? 1 : 0);
            waiter = number;
        }
        Packed whole;
        whole.add(end - begin);
        std::ranges::for_each(columns, [&](const Packed& column) { whole.append(column); });
        m_dependency_chunks.push_back({m_blobs.add(whole.bytes()), end - begin,
                                       static_cast<std::int64_t>(m_links[begin].waiter), waiter,
                                       0});
    }
}

void Relations::finish_waits(Timestamp origin,
                             const std::function<std::uint64_t(RingId)>& ring_number)
{
    std::ranges::stable_sort(m_sleeps, {}, [](const Sleep& sleep) { return sleep.wait.begin; });
    for (std::size_t first = 0; first < m_sleeps.size(); first += jobs_of_chunk) {
        const std::size_t last = std::min<std::size_t>(first + jobs_of_chunk, m_sleeps.size());
        std::array<Packed, 9> columns;
        std::int64_t previous = 0;
        std::int64_t latest = 0;
        for (std::size_t place = first; place < last; ++place) {
            Sleep& sleep = m_sleeps[place];
            const model::Wait& wait = sleep.wait;
            sleep.job = sleep.fence == none ? none : job_of(sleep.fence);
            const std::int64_t begin = (wait.begin - origin).value();
            columns[0].add_signed(begin - previous);
            columns[1].add_signed((wait.end - wait.begin).value());
            columns[2].add_signed(wait.signaled ? (*wait.signaled - wait.begin).value() : 0);
            columns[3].add(sleep.actor);
            columns[4].add(wait.ring ? ring_number(*wait.ring) + 1 : 0);
            columns[5].add(sleep.context);
            columns[6].add(wait.fence.seqno ? wait.fence.seqno->value() + 1 : 0);
            columns[7].add_signed(sleep.job == none ? -1 : static_cast<std::int64_t>(sleep.job));
            columns[8].add_byte(wait.signaled ? 1 : 0);
            previous = begin;
            latest = std::max(latest, (wait.end - origin).value());
        }
        Packed whole;
        whole.add(last - first);
        std::ranges::for_each(columns, [&](const Packed& column) { whole.append(column); });
        m_wait_chunks.push_back({m_blobs.add(whole.bytes()), last - first,
                                 (m_sleeps[first].wait.begin - origin).value(), previous, latest});
    }
}

} // namespace lttng_gpu::view
