// SPDX-License-Identifier: MIT
//
// How many jobs there were over time, as one line of bars.
#pragma once

#include "depth_curve.hpp"
#include "screen.hpp"

namespace lttng_gpu::report {

/// Jobs in the host queue and on the device together, relative to the most that there were. With
/// colours, it is seen where more jobs were in the host queue than on the device.
std::string sparkline(const OccupancyOverTime& over_time, std::int64_t window, std::size_t columns,
                      const Screen& screen);

} // namespace lttng_gpu::report
