// SPDX-License-Identifier: MIT
//
// fork() in a program with the layer.
#pragma once

namespace lttng_gpu::vulkan {

/// Called once, when there is something to record with; `provider`: its library, of dlopen().
void follow_forks(void* provider);

} // namespace lttng_gpu::vulkan
