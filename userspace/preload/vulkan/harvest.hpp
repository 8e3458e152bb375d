// SPDX-License-Identifier: MIT
//
// Reads the times of submissions that are complete, and writes them. Never waits for the GPU.
#pragma once

#include "devices.hpp"

namespace lttng_gpu::vulkan {

void harvest(Queue& queue);
void harvest_all(Device& device);
/// The device goes: what is not complete now will never be told.
void end_times(Device& device);
/// Called when the first queue with times is got: what is complete at exit is still told, and the
/// rest is counted.
void watch_exit();
/// Called with a queue's first work, see runtime/drivers_end.hpp.
void expect_drivers_end();
/// In the child of fork(): what is under way is the parent's, and nothing is timed any more.
void drop_times(Device& device);

} // namespace lttng_gpu::vulkan
