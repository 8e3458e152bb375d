// SPDX-License-Identifier: MIT
//
// The part of the text report about the clocks of devices whose times were mapped to
// the trace's clock, and about the error of the mapping. Empty if there were none.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

std::string clock_lines(const Report& report);

/// Commands whose times were not used.
std::uint64_t invalid_times(const model::ClockAccount& clock);

} // namespace lttng_gpu::report
