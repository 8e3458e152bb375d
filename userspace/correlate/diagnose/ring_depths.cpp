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
    Ring& ring = m_rings[*job.ring];
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
    for (const auto& [id, ring] : m_rings) {
        std::size_t& depth = m_depths[name_of(rings.at(id), rings)];
        depth = std::max(depth, ring.most);
    }
    m_rings.clear();
}

unsigned RingDepths::of(const model::Ring& ring, const model::RingTable& rings) const
{
    const auto known = m_depths.find(name_of(ring, rings));
    return known == m_depths.end() ? 0 : static_cast<unsigned>(known->second);
}

std::string RingDepths::name_of(const model::Ring& ring, const model::RingTable& rings)
{
    return fmt::format("{}\n{}\n{}", ring.trace.value(), rings.text(ring.device),
                       rings.text(ring.name));
}

} // namespace lttng_gpu::diagnose
