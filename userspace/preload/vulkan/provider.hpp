// SPDX-License-Identifier: MIT
//
// The records of Vulkan's events, and which of them somebody records now.
#pragma once

#define LTTNG_GPU_PROVIDER lttng_gpu_vulkan
#include "instrumentation/events/lttng_gpu_records.h"
#include "runtime/provider.hpp"

namespace lttng_gpu::vulkan {

extern lttng_gpu_vulkan_provider events;

/// Loads the provider, once; called before the first call that could be recorded.
void attach_provider();
/// Whether there is one.
bool is_attached();

} // namespace lttng_gpu::vulkan
