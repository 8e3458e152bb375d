// SPDX-License-Identifier: MIT
//
// See condensed_parts.hpp.
#include "condensed_parts.hpp"

#include "../system/process_identity.hpp"

#include <algorithm>

namespace lttng_gpu::diagnose {

bool say_the_same(const Part& left, const Part& right)
{
    const bool is_of_job = left.reason == Reason::Dependency || left.reason == Reason::OwnWait;
    return left.reason == right.reason && left.gap == right.gap &&
           left.is_before == right.is_before && left.is_inferred == right.is_inferred &&
           left.place == right.place && left.ring == right.ring &&
           model::ProcessIdentity{left.actor} == model::ProcessIdentity{right.actor} &&
           left.by_name == right.by_name &&
           (!is_of_job ||
            (left.fence.context == right.fence.context && left.fence.seqno == right.fence.seqno));
}

std::vector<Part> condensed(const std::vector<Part>& parts)
{
    std::vector<Part> lines;
    for (const Part& part : parts) {
        const auto same = std::find_if(lines.begin(), lines.end(),
                                       [&](const Part& line) { return say_the_same(line, part); });
        if (same == lines.end()) {
            lines.push_back(part);
            continue;
        }
        same->length = same->length + part.length;
        same->jobs += part.jobs;
        same->root.insert(same->root.end(), part.root.begin(), part.root.end());
    }
    return lines;
}

} // namespace lttng_gpu::diagnose
