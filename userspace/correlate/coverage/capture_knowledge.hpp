// SPDX-License-Identifier: MIT
//
// What an earlier reading of the same capture found out (capture_findings.hpp), in the form
// in which a second reading uses it. Rings are named, because numbers may differ.
#pragma once

#include "capture_findings.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace lttng_gpu::model {

class CaptureKnowledge {
public:
    using RingName = std::tuple<TraceId, std::string, std::string>; // trace, device, ring

    /// `rings` are those of the reading that made the findings.
    CaptureKnowledge(const CaptureFindings& findings, const RingTable& rings);

    /// Nothing special is known of most rings.
    const RingKnowledge& of(const RingName& ring) const;
    /// Tells the table of rings which names are those of one device only.
    void name_only_devices(RingTable& rings) const;
    /// In order of the begin of `when`.
    const std::vector<MissingEvents>& missing() const { return m_missing; }
    /// Jobs of several rings have one name, so the numbers of their schedulers tell nothing of
    /// jobs that no event told of.
    bool has_shared_names() const { return m_has_shared_names; }
    /// The driver was loaded again: of the contexts of hardware fences that this ring's name has
    /// one was used after the other. Those of two devices are used side by side.
    bool has_successive_hardware(TraceId trace, std::string_view ring) const;
    bool has_successive_hardware() const; // of any ring
    /// The trace has events of fences that tell when a job was queued.
    bool has_queue_fences(TraceId trace) const
    {
        return std::ranges::find(m_queue_fences, trace) != m_queue_fences.end();
    }
    /// In this stretch of time no job went unseen but those in missing(). Empty: it has no end
    /// after its begin.
    TimeSpan numbered(TraceId trace) const;

private:
    void add_hardware(const CaptureFindings& findings);
    void add_numbered(const CaptureFindings& findings);
    void add_pending(const CaptureFindings& findings, const RingTable& rings);

    std::map<RingName, RingKnowledge> m_rings;
    RingKnowledge m_everywhere; // holds of rings that are not in the map
    std::vector<MissingEvents> m_missing;
    std::vector<TraceId> m_queue_fences;
    std::map<TraceId, TimeSpan> m_numbered;
    std::map<std::pair<TraceId, std::string>, bool> m_has_successive; // hardware contexts
    bool m_has_shared_names = false;
};

} // namespace lttng_gpu::model
