// SPDX-License-Identifier: MIT
//
// The values of --begin and --end: absolute nanoseconds of the trace clock, or
// + and decimal seconds from the first event. Read exactly, without going
// through floating point.
#pragma once

#include "window.hpp"

#include <string_view>

namespace lttng_gpu::report {

/// Nothing when `text` is not a time.
std::optional<report::TimeBound> parse_time(std::string_view text);

} // namespace lttng_gpu::report
