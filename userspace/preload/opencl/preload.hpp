// SPDX-License-Identifier: MIT
//
// The library as LD_PRELOAD, for programs that are linked to a driver without a loader. Every
// OpenCL symbol jumps through a pointer. The first call sets all pointers: to the wrappers, with
// the driver's functions behind them; or to the driver's functions themselves, once the loader has
// taken this library as a layer.
#pragma once

#define LTTNG_GPU_PRELOADED extern "C" __attribute__((visibility("default")))

extern "C" __attribute__((visibility("default"))) void lttng_gpu_opencl_give_way();

namespace lttng_gpu::opencl {

/// Returns when all symbols are set; any number of threads may call it.
void resolve_symbols();
void renew_symbols_in_child();
/// Generated: the pointers, as Functions.
void* preloaded_symbols();
/// Generated, as Functions: what stands for those that no library defines. They return
/// CL_INVALID_OPERATION or null.
const void* missing_symbols();

} // namespace lttng_gpu::opencl
