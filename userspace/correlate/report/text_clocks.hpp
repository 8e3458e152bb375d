// SPDX-License-Identifier: MIT
//
// The part of the report for people that tells of the clocks of devices whose times
// were mapped to the trace's clock, and how exactly. Empty where there were none.
#pragma once

#include "report.hpp"

namespace lttng_gpu::report {

std::string clock_lines(const Report& report);

/// Reports of commands that came with times of no use.
std::uint64_t invalid_times(const model::ClockAccount& clock);

} // namespace lttng_gpu::report
