// SPDX-License-Identifier: MIT
//
// The records of OpenCL's events, and which of them somebody records now.
#pragma once

#define LTTNG_GPU_PROVIDER lttng_gpu_opencl
#include "instrumentation/events/lttng_gpu_records.h"
#include "runtime/provider.hpp"

namespace lttng_gpu::opencl {

extern lttng_gpu_opencl_provider events;

/// Loads the provider, once; called before the first call that could be recorded.
void attach_provider();

} // namespace lttng_gpu::opencl
