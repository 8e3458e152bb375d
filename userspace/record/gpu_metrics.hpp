// SPDX-License-Identifier: MIT
//
// amdgpu's file gpu_metrics: a table of the device's firmware, in binary, whose layout its header
// tells (drivers/gpu/drm/amd/include/kgd_pp_interface.h).
#pragma once

#include "gpu_counters.hpp"

namespace lttng_gpu::record {

/// Those of its values that the version has and whose unit is known; of other versions none.
void add_gpu_metrics(std::vector<GpuCounter>& counters, const std::string& device,
                     const std::filesystem::path& file);

} // namespace lttng_gpu::record
