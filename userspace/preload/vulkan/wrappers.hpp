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

/// Those of draw calls and dispatches, which not every program gets.
extern const Wrapper command_wrappers[];
extern const unsigned command_wrappers_count;

} // namespace lttng_gpu::vulkan
