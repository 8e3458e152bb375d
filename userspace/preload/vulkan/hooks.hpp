// SPDX-License-Identifier: MIT
//
// Functions of which more is known than their name and result. A hook calls the next function,
// `real`, and lets the call be recorded right after it.
#pragma once

#include "calls.hpp"
#include "devices.hpp"
#include "watches.hpp"

namespace lttng_gpu::vulkan {

/// The program has waited; these write the event of the call.
void waits_returned(Call&, Device&, VkResult, uint64_t timeout);
void pipelines_returned(Call&, Device&, VkResult, uint32_t count);

void get_queue(Call&, Device&, PFN_vkGetDeviceQueue real, VkDevice, uint32_t family, uint32_t index,
               VkQueue*);
void get_queue2(Call&, Device&, PFN_vkGetDeviceQueue2 real, VkDevice, const VkDeviceQueueInfo2*,
                VkQueue*);

VkResult submit(Call&, Device&, PFN_vkQueueSubmit real, VkQueue, uint32_t, const VkSubmitInfo*,
                VkFence);
VkResult submit2(Call&, Device&, PFN_vkQueueSubmit2 real, VkQueue, uint32_t, const VkSubmitInfo2*,
                 VkFence);
VkResult bind_sparse(Call&, Device&, PFN_vkQueueBindSparse real, VkQueue, uint32_t,
                     const VkBindSparseInfo*, VkFence);

VkResult present(Call&, Device&, PFN_vkQueuePresentKHR real, VkQueue, const VkPresentInfoKHR*);
void destroy_swapchain(Call&, Device&, PFN_vkDestroySwapchainKHR real, VkDevice, VkSwapchainKHR,
                       const VkAllocationCallbacks*);

VkResult name_object(Call&, Device&, PFN_vkSetDebugUtilsObjectNameEXT real, VkDevice,
                     const VkDebugUtilsObjectNameInfoEXT*);
VkResult name_object_by_marker(Call&, Device&, PFN_vkDebugMarkerSetObjectNameEXT real, VkDevice,
                               const VkDebugMarkerObjectNameInfoEXT*);

void begin_label(Call&, Device&, PFN_vkQueueBeginDebugUtilsLabelEXT real, VkQueue,
                 const VkDebugUtilsLabelEXT*);
void end_label(Call&, Device&, PFN_vkQueueEndDebugUtilsLabelEXT real, VkQueue);
void insert_label(Call&, Device&, PFN_vkQueueInsertDebugUtilsLabelEXT real, VkQueue,
                  const VkDebugUtilsLabelEXT*);

} // namespace lttng_gpu::vulkan
