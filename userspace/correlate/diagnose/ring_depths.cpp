// SPDX-License-Identifier: MIT
//
// See ring_depths.hpp.
#include "ring_depths.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace lttng_gpu::diagnose {

void RingDepths::on_job(const model::Job& job)
{
    if (!job.ring || !job.submitted || !job.completed) {
        return;
    }
    if (job.ring->value() >= m_rings.size()) {
        m_rings.resize(job.ring->value() + 1ULL);
    }
    Ring& ring = m_rings[job.ring->value()];
    if (*job.submitted < ring.latest) {
        return; // who has left by now is not known any more
    }
    ring.latest = *job.submitted;
    while (!ring.ends.empty() && ring.ends.top() <= *job.submitted) {
        ring.ends.pop();
    }
    ring.ends.push(*job.completed);
    ring.most = std::max(ring.most, ring.ends.size());
}

void RingDepths::finish(const model::RingTable& rings)
{
    for (std::uint32_t id = 0; id < m_rings.size(); ++id) {
        std::size_t& depth = m_depths[name_of(rings.at(RingId{id}), rings)];
        depth = std::max(depth, m_rings[id].most);
    }
    m_rings.clear();
    m_is_finished = true;
}

unsigned RingDepths::of(RingId ring, const model::RingTable& rings) const
{
    if (!m_is_finished) {
        return ring.value() < m_rings.size() ? static_cast<unsigned>(m_rings[ring.value()].most)
                                             : 0;
    }
    const auto known = m_depths.find(name_of(rings.at(ring), rings));
    return known == m_depths.end() ? 0 : static_cast<unsigned>(known->second);
}

std::string RingDepths::name_of(const model::Ring& ring, const model::RingTable& rings)
{
    return fmt::format("{}\n{}\n{}", ring.trace.value(), rings.text(ring.device),
                       rings.text(ring.name));
}

} // namespace lttng_gpu::diagnose
