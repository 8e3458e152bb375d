// SPDX-License-Identifier: MIT
//
// What was lost, incomplete or odd, because numbers without that are not to be trusted.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

/// "2 events lost, 1 packets lost", or "nothing lost".
std::string loss_text(const TraceAccount& trace);
/// A line for each cause, with its count; nothing if there is none.
std::string lost_lines(const Report& report);

} // namespace lttng_gpu::report
