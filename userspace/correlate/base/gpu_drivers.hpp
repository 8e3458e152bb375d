// SPDX-License-Identifier: MIT
//
// The catalogue of drivers (instrumentation/drivers.h) as a table.
#pragma once

#include "../../../instrumentation/drivers.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu {

/// Not those of register accesses, which are recorded on request only.
struct GpuDriver {
    std::string_view module;     // of the kernel, as /proc/modules has it; "": the kernel image
    std::string_view system;     // the kernel's name for its events
    std::string_view job_events; // LTTng's, of which jobs are made: patterns, with ',' between them
};

#define LTTNG_GPU_TABLE_ROW(probe, provider, module, system, job_events)                           \
    {module, system, job_events},
#define LTTNG_GPU_NO_ROW(...)
inline constexpr auto gpu_drivers =
    std::to_array<GpuDriver>({GPU_DRIVERS(LTTNG_GPU_TABLE_ROW, LTTNG_GPU_NO_ROW)});
#undef LTTNG_GPU_TABLE_ROW
#undef LTTNG_GPU_NO_ROW

/// The patterns of all drivers, one by one.
std::vector<std::string> gpu_job_events();

} // namespace lttng_gpu
