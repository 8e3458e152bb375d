// SPDX-License-Identifier: MIT
//
// The HSA headers. hsa_api_trace.h includes others as "inc/NAME", which the generator makes.
#pragma once

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ext_image.h>

#include <hsa/hsa_api_trace.h>

#include <stdint.h>

namespace lttng_gpu::hsa {

/// The application's handles as events have them.
inline uint64_t handle(const void* object)
{
    return reinterpret_cast<uintptr_t>(object);
}

/// As the key of a HandleTable.
inline const void* key(uint64_t handle)
{
    return reinterpret_cast<const void*>(uintptr_t(handle));
}

inline bool likely(bool condition)
{
    return __builtin_expect(condition, true);
}

} // namespace lttng_gpu::hsa
