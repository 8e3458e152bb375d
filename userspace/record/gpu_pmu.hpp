// SPDX-License-Identifier: MIT
//
// The performance monitoring units of i915 and xe: engines' busy time, frequencies, sleep.
#pragma once

#include "gpu_counters.hpp"

namespace lttng_gpu::record {

/// Those of /sys/bus/event_source/devices that this user may open. They count up; a value is the
/// growth over the time since the last reading: the share of it in %, the mean frequency in MHz,
/// or events in 1/s.
void add_pmu_counters(std::vector<GpuCounter>& counters, const std::filesystem::path& devices);

} // namespace lttng_gpu::record
