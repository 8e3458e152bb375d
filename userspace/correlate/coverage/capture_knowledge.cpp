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

void append(RingKnowledge& ring, const RingKnowledge& more)
{
    ring.unseen.insert(ring.unseen.end(), more.unseen.begin(), more.unseen.end());
    ring.missing.insert(ring.missing.end(), more.missing.begin(), more.missing.end());
}

/// What is missing of events that name no device is of one of the rings of that name.
void share_without_device(std::map<CaptureKnowledge::RingName, RingKnowledge>& rings)
{
    for (const auto& [name, knowledge] : rings) {
        if (!std::get<1>(name).empty()) {
            continue;
        }
        for (auto& [other, of_device] : rings) {
            const bool is_same =
                std::get<0>(other) == std::get<0>(name) && std::get<2>(other) == std::get<2>(name);
            if (is_same && !std::get<1>(other).empty()) {
                append(of_device, knowledge);
            }
        }
    }
}

} // namespace

CaptureKnowledge::CaptureKnowledge(const CaptureFindings& findings, const RingTable& rings)
    : m_missing{findings.missing()}, m_queue_fences{findings.late_queue_fences}
{
    add_hardware(findings);
    for (const RingFinding& finding : findings.rings) {
        const RingName name = name_of(rings, finding.ring);
        RingKnowledge& ring = m_rings[name];
        // it was told apart only because its driver was loaded again
        const bool is_one = has_successive_hardware(std::get<TraceId>(name), std::get<2>(name));
        const bool is_shared = finding.is_shared_name && !is_one;
        ring.is_shared_name = ring.is_shared_name || is_shared;
        m_has_shared_names = m_has_shared_names || is_shared;
        for (const OrderEvidence::Disorder& disorder : finding.order.find_disorder()) {
            ring.disorder.push_back(disorder.span);
        }
    }
    for (const MissingEvents& missing : m_missing) {
        if (missing.ring) {
            m_rings[name_of(rings, *missing.ring)].missing.push_back(missing.when);
        }
        if (!missing.run) {
            continue;
        }
        if (missing.ring) {
            m_rings[name_of(rings, *missing.ring)].unseen.push_back(*missing.run);
            continue;
        }
        m_everywhere.unseen.push_back(*missing.run);
        for (auto& [name, ring] : m_rings) {
            if (std::get<TraceId>(name) == missing.trace) {
                ring.unseen.push_back(*missing.run);
            }
        }
    }
    add_pending(findings, rings);
    add_numbered(findings);
    share_without_device(m_rings);
    for (auto& [name, ring] : m_rings) {
        sort(ring);
    }
    sort(m_everywhere);
    std::stable_sort(m_missing.begin(), m_missing.end(),
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
            std::any_of(m_missing.begin(), m_missing.end(),
                        [&](const MissingEvents& missing) { return missing.trace == job.trace; });
        if (is_lossy) {
            m_rings[name_of(rings, job.ring)].unseen.push_back({{job.queued, never}, never});
        }
    }
}

/// A device that SharedRings made up ("?1") is none.
void CaptureKnowledge::name_only_devices(RingTable& rings) const
{
    std::map<std::pair<TraceId, std::string>, std::vector<std::string>> devices;
    for (const auto& [ring, knowledge] : m_rings) {
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
            bool& is_successive = m_has_successive.try_emplace(name, true).first->second;
            is_successive = is_successive && context.used.begin > until->second;
            until->second = std::max(until->second, context.used.end);
        }
    }
}

bool CaptureKnowledge::has_successive_hardware() const
{
    return std::any_of(m_has_successive.begin(), m_has_successive.end(),
                       [](const auto& ring) { return ring.second; });
}

bool CaptureKnowledge::has_successive_hardware(TraceId trace, std::string_view ring) const
{
    const auto found = m_has_successive.find({trace, std::string{ring}});
    return found != m_has_successive.end() && found->second;
}

/// All rings of the trace have numbers then.
void CaptureKnowledge::add_numbered(const CaptureFindings& findings)
{
    for (const NumberedRing& ring : findings.numbered) {
        TimeSpan& all = m_numbered.try_emplace(ring.trace, ring.when).first->second;
        all.begin = std::max(all.begin, ring.when.begin);
        all.end = std::min(all.end, ring.when.end);
    }
    for (const TraceId trace : findings.unnumbered) {
        m_numbered.erase(trace);
    }
    if (m_has_shared_names) {
        m_numbered.clear();
    }
}

TimeSpan CaptureKnowledge::numbered(TraceId trace) const
{
    const auto found = m_numbered.find(trace);
    return found != m_numbered.end() ? found->second : TimeSpan{Timestamp{0}, Timestamp{-1}};
}

const RingKnowledge& CaptureKnowledge::of(const RingName& ring) const
{
    const auto found = m_rings.find(ring);
    return found != m_rings.end() ? found->second : m_everywhere;
}

} // namespace lttng_gpu::model
