// SPDX-License-Identifier: MIT
#include "hooks.hpp"

#include "harvest.hpp"

namespace lttng_gpu::vulkan {

void waits_returned(Call& call, Device& device, VkResult result, uint64_t timeout)
{
    const lttng_gpu_vulkan_wait record = {call.begin_ns(), result, uint16_t(call.function()),
                                          timeout};
    if (EVENT_ENABLED(wait))
        events.wait(&record);
    else
        call.returned(result);
    if (device.is_timed && EVENT_ENABLED(command_times))
        harvest_all(device);
}

void pipelines_returned(Call& call, Device&, VkResult result, uint32_t count)
{
    if (!EVENT_ENABLED(pipeline)) {
        call.returned(result);
        return;
    }
    const lttng_gpu_vulkan_pipeline record = {call.begin_ns(), result, uint16_t(call.function()),
                                              count};
    events.pipeline(&record);
}

static void queue_got(const Call& call, Device& device, VkQueue handle, uint32_t family,
                      uint32_t index, VkDeviceQueueCreateFlags flags)
{
    call.returned(VK_SUCCESS);
    if (handle)
        describe(device, note_queue(device, handle, family, index, flags), call.begin_ns());
}

void get_queue(Call& call, Device& device, PFN_vkGetDeviceQueue real, VkDevice handle,
               uint32_t family, uint32_t index, VkQueue* queue)
{
    real(handle, family, index, queue);
    queue_got(call, device, *queue, family, index, 0);
}

void get_queue2(Call& call, Device& device, PFN_vkGetDeviceQueue2 real, VkDevice handle,
                const VkDeviceQueueInfo2* info, VkQueue* queue)
{
    real(handle, info, queue);
    queue_got(call, device, *queue, info->queueFamilyIndex, info->queueIndex, info->flags);
}

static void write_name(const Device& device, uint64_t object, uint32_t type, const char* name)
{
    const lttng_gpu_vulkan_object_name record = {handle(device.handle), object, type,
                                                 name ? name : ""};
    events.object_name(&record);
}

VkResult name_object(Call& call, Device& device, PFN_vkSetDebugUtilsObjectNameEXT real,
                     VkDevice handle, const VkDebugUtilsObjectNameInfoEXT* info)
{
    const VkResult result = real(handle, info);
    call.returned(result);
    if (EVENT_ENABLED(object_name))
        write_name(device, info->objectHandle, info->objectType, info->pObjectName);
    return result;
}

/// The older extension numbers what came later otherwise.
static uint32_t object_type(VkDebugReportObjectTypeEXT type)
{
    return type <= VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_POOL_EXT ? uint32_t(type)
                                                                : uint32_t(VK_OBJECT_TYPE_UNKNOWN);
}

VkResult name_object_by_marker(Call& call, Device& device, PFN_vkDebugMarkerSetObjectNameEXT real,
                               VkDevice handle, const VkDebugMarkerObjectNameInfoEXT* info)
{
    const VkResult result = real(handle, info);
    call.returned(result);
    if (EVENT_ENABLED(object_name))
        write_name(device, info->object, object_type(info->objectType), info->pObjectName);
    return result;
}

static const char* text_of(const VkDebugUtilsLabelEXT* label)
{
    return label->pLabelName ? label->pLabelName : "";
}

void begin_label(Call& call, Device&, PFN_vkQueueBeginDebugUtilsLabelEXT real, VkQueue queue,
                 const VkDebugUtilsLabelEXT* label)
{
    real(queue, label);
    call.returned(VK_SUCCESS);
    if (!EVENT_ENABLED(label_begin))
        return;
    const lttng_gpu_vulkan_label_begin record = {handle(queue), text_of(label)};
    events.label_begin(&record);
}

void end_label(Call& call, Device&, PFN_vkQueueEndDebugUtilsLabelEXT real, VkQueue queue)
{
    real(queue);
    call.returned(VK_SUCCESS);
    if (!EVENT_ENABLED(label_end))
        return;
    const lttng_gpu_vulkan_label_end record = {handle(queue)};
    events.label_end(&record);
}

void insert_label(Call& call, Device&, PFN_vkQueueInsertDebugUtilsLabelEXT real, VkQueue queue,
                  const VkDebugUtilsLabelEXT* label)
{
    real(queue, label);
    call.returned(VK_SUCCESS);
    if (!EVENT_ENABLED(label_insert))
        return;
    const lttng_gpu_vulkan_label_insert record = {handle(queue), text_of(label)};
    events.label_insert(&record);
}

} // namespace lttng_gpu::vulkan
