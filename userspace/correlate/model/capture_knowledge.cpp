// SPDX-License-Identifier: MIT
//
// See capture_knowledge.hpp.
#include "capture_knowledge.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

CaptureKnowledge::RingName name_of(const RingTable& rings, RingId id)
{
    const Ring& ring = rings.at(id);
    return {ring.trace, std::string{rings.text(ring.device)}, std::string{rings.text(ring.name)}};
}

void sort(RingKnowledge& ring)
{
    std::stable_sort(
        ring.disorder.begin(), ring.disorder.end(),
        [](const TimeSpan& left, const TimeSpan& right) { return left.begin < right.begin; });
    std::stable_sort(ring.unseen.begin(), ring.unseen.end(),
                     [](const UnseenRun& left, const UnseenRun& right) {
                         return left.submitted.begin < right.submitted.begin;
                     });
}

} // namespace

CaptureKnowledge::CaptureKnowledge(const CaptureFindings& findings, const RingTable& rings)
    : x_missing{findings.missing()}
{
    for (const RingFinding& finding : findings.rings) {
        RingKnowledge& ring = x_rings[name_of(rings, finding.ring)];
        for (const OrderEvidence::Disorder& disorder : finding.order.find_disorder()) {
            ring.disorder.push_back(disorder.span);
        }
    }
    for (const MissingEvents& missing : x_missing) {
        if (!missing.run) {
            continue;
        }
        if (missing.ring) {
            x_rings[name_of(rings, *missing.ring)].unseen.push_back(*missing.run);
            continue;
        }
        x_everywhere.unseen.push_back(*missing.run);
        for (auto& [name, ring] : x_rings) {
            if (std::get<TraceId>(name) == missing.trace) {
                ring.unseen.push_back(*missing.run);
            }
        }
    }
    for (auto& [name, ring] : x_rings) {
        sort(ring);
    }
    sort(x_everywhere);
    std::stable_sort(x_missing.begin(), x_missing.end(),
                     [](const MissingEvents& left, const MissingEvents& right) {
                         return left.when.begin < right.when.begin;
                     });
}

const RingKnowledge& CaptureKnowledge::of(const RingName& ring) const
{
    const auto found = x_rings.find(ring);
    return found != x_rings.end() ? found->second : x_everywhere;
}

} // namespace lttng_gpu::model
