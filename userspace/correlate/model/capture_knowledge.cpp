// SPDX-License-Identifier: MIT
//
// See capture_knowledge.hpp.
#include "capture_knowledge.hpp"

#include <algorithm>
#include <limits>

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
    std::stable_sort(
        ring.missing.begin(), ring.missing.end(),
        [](const TimeSpan& left, const TimeSpan& right) { return left.begin < right.begin; });
    std::stable_sort(ring.unseen.begin(), ring.unseen.end(),
                     [](const UnseenRun& left, const UnseenRun& right) {
                         return left.submitted.begin < right.submitted.begin;
                     });
}

} // namespace

CaptureKnowledge::CaptureKnowledge(const CaptureFindings& findings, const RingTable& rings)
    : x_missing{findings.missing()}, x_queue_fences{findings.late_queue_fences}
{
    add_hardware(findings);
    for (const RingFinding& finding : findings.rings) {
        const RingName name = name_of(rings, finding.ring);
        RingKnowledge& ring = x_rings[name];
        // it was told apart only because its driver was loaded again
        const bool is_one = has_successive_hardware(std::get<TraceId>(name), std::get<2>(name));
        const bool is_shared = finding.is_shared_name && !is_one;
        ring.is_shared_name = ring.is_shared_name || is_shared;
        x_has_shared_names = x_has_shared_names || is_shared;
        for (const OrderEvidence::Disorder& disorder : finding.order.find_disorder()) {
            ring.disorder.push_back(disorder.span);
        }
    }
    for (const MissingEvents& missing : x_missing) {
        if (missing.ring) {
            x_rings[name_of(rings, *missing.ring)].missing.push_back(missing.when);
        }
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
    add_pending(findings, rings);
    add_numbered(findings);
    for (auto& [name, ring] : x_rings) {
        sort(ring);
    }
    sort(x_everywhere);
    std::stable_sort(x_missing.begin(), x_missing.end(),
                     [](const MissingEvents& left, const MissingEvents& right) {
                         return left.when.begin < right.when.begin;
                     });
}

/// Where events are missing, a job that seems to wait until the end may have run unseen. It proves
/// nothing missing by itself.
void CaptureKnowledge::add_pending(const CaptureFindings& findings, const RingTable& rings)
{
    constexpr Timestamp never{std::numeric_limits<std::int64_t>::max()};
    for (std::size_t at = 0; at < findings.pending().size(); ++at) {
        const PendingJob& job = findings.pending()[at];
        const bool is_lossy =
            std::any_of(x_missing.begin(), x_missing.end(),
                        [&](const MissingEvents& missing) { return missing.trace == job.trace; });
        if (is_lossy) {
            x_rings[name_of(rings, job.ring)].unseen.push_back({{job.queued, never}, never});
        }
    }
}

/// A device that SharedRings made up ("?1") is none.
void CaptureKnowledge::name_only_devices(RingTable& rings) const
{
    std::map<std::pair<TraceId, std::string>, std::vector<std::string>> devices;
    for (const auto& [ring, knowledge] : x_rings) {
        const auto& [trace, device, name] = ring;
        if (!device.empty()) {
            devices[{trace, name}].push_back(device);
        }
    }
    for (const auto& [ring, names] : devices) {
        if (names.size() == 1 && names.front().front() != '?') {
            rings.set_only_device(ring.first, ring.second, names.front());
        }
    }
}

void CaptureKnowledge::add_hardware(const CaptureFindings& findings)
{
    std::map<std::pair<TraceId, std::string>, Timestamp> used_until;
    std::vector<HardwareContext> contexts = findings.hardware;
    std::sort(contexts.begin(), contexts.end(), [](const auto& left, const auto& right) {
        return left.used.begin < right.used.begin;
    });
    for (const HardwareContext& context : contexts) {
        const std::pair name{context.trace, context.ring};
        const auto [until, is_first] = used_until.try_emplace(name, context.used.end);
        if (!is_first) {
            bool& is_successive = x_has_successive.try_emplace(name, true).first->second;
            is_successive = is_successive && context.used.begin > until->second;
            until->second = std::max(until->second, context.used.end);
        }
    }
}

bool CaptureKnowledge::has_successive_hardware() const
{
    return std::any_of(x_has_successive.begin(), x_has_successive.end(),
                       [](const auto& ring) { return ring.second; });
}

bool CaptureKnowledge::has_successive_hardware(TraceId trace, std::string_view ring) const
{
    const auto found = x_has_successive.find({trace, std::string{ring}});
    return found != x_has_successive.end() && found->second;
}

/// All rings of the trace have numbers then.
void CaptureKnowledge::add_numbered(const CaptureFindings& findings)
{
    for (const NumberedRing& ring : findings.numbered) {
        TimeSpan& all = x_numbered.try_emplace(ring.trace, ring.when).first->second;
        all.begin = std::max(all.begin, ring.when.begin);
        all.end = std::min(all.end, ring.when.end);
    }
    for (const TraceId trace : findings.unnumbered) {
        x_numbered.erase(trace);
    }
    if (x_has_shared_names) {
        x_numbered.clear();
    }
}

TimeSpan CaptureKnowledge::numbered(TraceId trace) const
{
    const auto found = x_numbered.find(trace);
    return found != x_numbered.end() ? found->second : TimeSpan{Timestamp{0}, Timestamp{-1}};
}

const RingKnowledge& CaptureKnowledge::of(const RingName& ring) const
{
    const auto found = x_rings.find(ring);
    return found != x_rings.end() ? found->second : x_everywhere;
}

} // namespace lttng_gpu::model
