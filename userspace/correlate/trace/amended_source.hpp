// SPDX-License-Identifier: MIT
//
// A source with what an earlier reading of it has shown: gaps that the trace does not announce
// are announced, and the times of CPUs whose clocks are off are corrected, with the items put in
// order again. Texts are copied only where times are corrected.
#pragma once

#include "event_source.hpp"

#include <memory>

namespace lttng_gpu::trace {

struct ClockCorrection {
    TraceId trace;
    Cpu cpu;
    Duration offset; // to be added to the times of this CPU
};

struct Amendments {
    std::vector<Loss> gaps; // each of unit Silent
    std::vector<ClockCorrection> clocks;
};

std::unique_ptr<EventSource> amend(std::unique_ptr<EventSource> source, Amendments amendments);

} // namespace lttng_gpu::trace
