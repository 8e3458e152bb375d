// SPDX-License-Identifier: MIT
//
// What is presented: a frame per swapchain, numbered in each from 1 as they are recorded.
#include "frames.hpp"

#include "commands.hpp"
#include "harvest.hpp"
#include "hooks.hpp"
#include "runtime/handle_table.hpp"

namespace lttng_gpu::vulkan {

int has_frames = 0;
static HandleTable<uint64_t> frame_numbers;

/// Drivers may give the same handle on two devices.
static const void* key_of_swapchain(const Device& device, VkSwapchainKHR swapchain)
{
    return reinterpret_cast<const void*>(handle(swapchain) ^ (handle(device.handle) << 1));
}

/// 0 without memory.
static uint64_t next_number(const Device& device, VkSwapchainKHR swapchain)
{
    const void* const key = key_of_swapchain(device, swapchain);
    uint64_t number = 0;
    if (frame_numbers.with(key, [&](uint64_t& known) { number = ++known; }))
        return number;
    __atomic_store_n(&has_frames, 1, __ATOMIC_RELAXED);
    return frame_numbers.set(key, 1) ? 1 : 0;
}

static void write_frame(const Call& call, const Device& device, VkSwapchainKHR swapchain,
                        VkResult result, const CommandsOfFrame& commands)
{
    const lttng_gpu_vulkan_frame record = {call.begin_ns(),
                                           result,
                                           uint16_t(call.function()),
                                           next_number(device, swapchain),
                                           handle(swapchain),
                                           handle(device.handle),
                                           commands.draws,
                                           commands.dispatches,
                                           0};
    events.frame(&record);
}

VkResult present(Call& call, Device& device, PFN_vkQueuePresentKHR real, VkQueue queue,
                 const VkPresentInfoKHR* info)
{
    const VkResult result = real(queue, info);
    if (EVENT_ENABLED(frame) && info->swapchainCount) {
        // Which of several was drawn to is not known.
        CommandsOfFrame commands = take_commands(device);
        for (uint32_t i = 0; i < info->swapchainCount; ++i) {
            write_frame(call, device, info->pSwapchains[i],
                        info->pResults ? info->pResults[i] : result, commands);
            commands = {0, 0};
        }
    } else {
        call.returned(result);
    }
    Queue* const known = find_queue(device, queue);
    describe(device, known, call.begin_ns());
    if (known && known->times && EVENT_ENABLED(command_times))
        harvest(*known);
    tell_counts(device, call.begin_ns(), false);
    return result;
}

/// Another swapchain may get the handle as soon as the driver has let it go.
void destroy_swapchain(Call& call, Device& device, PFN_vkDestroySwapchainKHR real, VkDevice owner,
                       VkSwapchainKHR swapchain, const VkAllocationCallbacks* allocator)
{
    frame_numbers.remove(key_of_swapchain(device, swapchain));
    real(owner, swapchain, allocator);
    call.returned(VK_SUCCESS);
}

void lock_frames()
{
    frame_numbers.lock_all();
}

void unlock_frames()
{
    frame_numbers.unlock_all();
}

} // namespace lttng_gpu::vulkan
