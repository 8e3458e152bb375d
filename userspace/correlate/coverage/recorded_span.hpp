// SPDX-License-Identifier: MIT
//
// In which stretch of time every CPU was recorded. Buffers that were overwritten begin at
// different times, a crash ends them at different times, and not every tracer says so. Where
// the tracer does not state it, a silence at an end counts as a gap only by evidence: others prove
// that jobs lack events there. That nothing happens is none: a CPU is idle, or its jobs wait behind
// one that hangs. Where the tracer states that it has all events of a CPU there is no gap.
#pragma once

#include "../trace/cpu_coverage.hpp"
#include "../trace/raw_event.hpp"
#include "capture_findings.hpp"

namespace lttng_gpu::model {

struct CpuGap {
    enum class Kind : std::uint8_t { BeginsLate, EndsEarly, Missing };

    Kind kind = Kind::BeginsLate;
    TraceId trace;
    Cpu cpu;
    TimeSpan span; // not recorded
    bool is_announced = false;
};

struct RecordedSpan {
    TimeSpan span; // every CPU was recorded; the whole trace where that is never so
    std::vector<CpuGap> gaps;
};

/// Where the gaps of CPUs explain all that is missing, it lies in them: nothing else is taken for
/// lost in between. To be called with what find_recorded_span() gave, before the findings are used.
void confine_to_gaps(CaptureFindings& findings, const RecordedSpan& recorded,
                     const std::vector<trace::CpuCoverage>& coverage);

/// `late_begins` are those that the tracer announced; `whole` is from the first event to the last.
RecordedSpan find_recorded_span(const std::vector<trace::CpuCoverage>& coverage,
                                const std::vector<trace::Loss>& late_begins,
                                CaptureFindings& findings, TimeSpan whole);

} // namespace lttng_gpu::model
