// SPDX-License-Identifier: MIT
#pragma once

namespace lttng_gpu::vulkan {

void lock_frames();
void unlock_frames();

} // namespace lttng_gpu::vulkan
