// SPDX-License-Identifier: MIT
//
// See capture_survey.hpp.
#include "capture_survey.hpp"

#include <algorithm>

namespace lttng_gpu::run {
namespace {

/// Text tells that a CPU begins late where it begins, so that is told here before it, too.
void add_gaps(CaptureSurvey& survey)
{
    using Kind = model::CpuGap::Kind;
    for (const model::CpuGap& gap : survey.recorded.gaps) {
        if (gap.kind == Kind::BeginsLate || (gap.kind == Kind::EndsEarly && !gap.is_announced)) {
            survey.amendments.gaps.push_back(
                {gap.span.begin, gap.span.end, gap.trace, gap.cpu, trace::LossUnit::Silent, {}});
        }
    }
}

void add_clocks(CaptureSurvey& survey, model::CaptureFindings& findings)
{
    for (const TraceId trace : findings.clocks.traces()) {
        const auto offsets = findings.clocks.find_offsets(trace);
        if (!offsets) {
            continue;
        }
        if (offsets->empty()) {
            survey.unexplained_clocks.push_back(trace);
        }
        for (const model::CpuOffset& offset : *offsets) {
            survey.amendments.clocks.push_back({trace, offset.cpu, offset.offset});
            survey.clock_errors.push_back(offset);
        }
    }
}

bool has_disorder(const model::CaptureFindings& findings)
{
    return std::any_of(findings.rings.begin(), findings.rings.end(), [](const auto& ring) {
        return ring.order.contradictions() > 0 || ring.is_shared_name;
    });
}

} // namespace

std::optional<CaptureSurvey> survey_capture(model::CaptureFindings& findings,
                                            const model::RingTable& rings,
                                            const std::vector<trace::CpuCoverage>& coverage,
                                            const std::vector<trace::Loss>& late_begins,
                                            TimeSpan whole)
{
    const auto recorded = model::find_recorded_span(coverage, late_begins, findings, whole);
    model::confine_to_gaps(findings, recorded, coverage);
    CaptureSurvey survey{model::CaptureKnowledge{findings, rings}, recorded, {}, {}, {}};
    add_gaps(survey);
    add_clocks(survey, findings);
    const bool is_needed = !survey.recorded.gaps.empty() || !survey.amendments.clocks.empty() ||
                           !findings.missing().empty() || has_disorder(findings) ||
                           !findings.late_queue_fences.empty() || findings.lacks_threads ||
                           survey.knowledge.has_successive_hardware() ||
                           (findings.has_losses && !findings.numbered.empty());
    return is_needed ? std::optional{std::move(survey)} : std::nullopt;
}

} // namespace lttng_gpu::run
