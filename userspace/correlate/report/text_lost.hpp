// SPDX-License-Identifier: MIT
//
// What was lost, incomplete or odd, because numbers without that are not to be trusted.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

/// "2 events lost, 1 packets lost", or "nothing lost".
std::string loss_text(const TraceAccount& trace);
/// Of the trace as a whole: a line for each cause, with its count; nothing if there is none.
std::string trace_problems(const Report& report);
/// The same of rings: where start times are unknown, and why.
std::string ring_problems(const Report& report);

} // namespace lttng_gpu::report
