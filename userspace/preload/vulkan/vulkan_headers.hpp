// SPDX-License-Identifier: MIT
//
// Vulkan's headers and what every file of the layer says of handles.
#pragma once

#include <stdint.h>
// The registry, from which the wrappers are generated, has these, too.
#define VK_ENABLE_BETA_EXTENSIONS
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

namespace lttng_gpu::vulkan {

/// The application's handles as events have them.
template <class Object> uint64_t handle(Object object)
{
    return (uint64_t)object;
}

/// What the loader has put into an object of the program: the same for all objects of one instance
/// or of one device.
template <class Object> const void* key_of(Object object)
{
    return *reinterpret_cast<void* const*>(object);
}

inline bool likely(bool condition)
{
    return __builtin_expect(condition, true);
}

} // namespace lttng_gpu::vulkan
