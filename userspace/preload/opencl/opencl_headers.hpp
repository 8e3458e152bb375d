// SPDX-License-Identifier: MIT
//
// The OpenCL headers, with everything that was ever in them.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#define CL_ENABLE_BETA_EXTENSIONS

#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

namespace lttng_gpu::opencl {

/// The application's handles as events have them.
inline unsigned long long handle(const void* object)
{
    return reinterpret_cast<unsigned long long>(object);
}

inline bool likely(bool condition)
{
    return __builtin_expect(condition, true);
}

} // namespace lttng_gpu::opencl
