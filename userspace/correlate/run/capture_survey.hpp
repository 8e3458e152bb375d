// SPDX-License-Identifier: MIT
//
// What the first reading of a capture found for the second one: the time in which every CPU was
// recorded, gaps that were not reported, clocks that differ, rings that do not keep order.
#pragma once

#include "../coverage/capture_knowledge.hpp"
#include "../coverage/recorded_span.hpp"
#include "../trace/amended_source.hpp"

namespace lttng_gpu::run {

struct CaptureSurvey {
    model::CaptureKnowledge knowledge;
    model::RecordedSpan recorded;
    trace::Amendments amendments;
    /// The clocks of these traces contradict each other in a way that no offsets explain.
    std::vector<TraceId> unexplained_clocks;
    std::vector<model::CpuOffset> clock_errors; // of the corrections, in their order
};

/// Nothing when a second reading would give the same. `findings` and `rings` are those of the
/// first, which was from `whole.begin` to `whole.end`.
std::optional<CaptureSurvey> survey_capture(model::CaptureFindings& findings,
                                            const model::RingTable& rings,
                                            const std::vector<trace::CpuCoverage>& coverage,
                                            const std::vector<trace::Loss>& late_begins,
                                            TimeSpan whole);

} // namespace lttng_gpu::run
