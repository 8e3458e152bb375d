// SPDX-License-Identifier: MIT
//
// The functions that stand above the next layer's.
#pragma once

#include "vulkan_headers.hpp"

namespace lttng_gpu::vulkan {

struct Wrapper {
    const char* name;
    PFN_vkVoidFunction function;
};
/// Sorted by name; generated.
extern const Wrapper wrappers[];
extern const unsigned wrappers_count;

/// Null: the function is not wrapped.
PFN_vkVoidFunction find_wrapper(const char* name);

} // namespace lttng_gpu::vulkan
