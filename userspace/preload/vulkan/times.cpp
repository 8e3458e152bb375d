// SPDX-License-Identifier: MIT
#include "times.hpp"

#include <stdlib.h>
#include <string.h>

#include "harvest.hpp"

namespace lttng_gpu::vulkan {

/// Looking at a queue's oldest submission costs as much as a call.
static constexpr uint32_t poll_every = 8;

TimesWish find_wish()
{
    const char* const value = getenv("LTTNG_GPU_VULKAN_TIMES");
    if (!value || !*value || !strcmp(value, "0"))
        return TimesWish::none;
    return strcmp(value, "uncalibrated") ? TimesWish::calibrated : TimesWish::uncalibrated;
}

/// One timestamp. The first of the two readies both queries again.
static bool record(const Device& device, const Times& times, uint32_t slot, bool is_first)
{
    const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                            VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, nullptr};
    const Functions& next = device.next;
    const VkCommandBuffer buffer = is_first ? times.slots[slot].before : times.slots[slot].after;
    // Layers and loader below find the device by what is in the object.
    if (!device.set_loader_data || device.set_loader_data(device.handle, buffer) != VK_SUCCESS ||
        next.vkBeginCommandBuffer(buffer, &begin) != VK_SUCCESS)
        return false;
    if (is_first)
        next.vkCmdResetQueryPool(buffer, times.queries, 2 * slot, 2);
    next.vkCmdWriteTimestamp(
        buffer, is_first ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
        times.queries, 2 * slot + (is_first ? 0 : 1));
    return next.vkEndCommandBuffer(buffer) == VK_SUCCESS;
}

static bool allocate(const Device& device, Times& times, uint32_t family)
{
    const VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0,
                                          family};
    const VkQueryPoolCreateInfo queries = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                           nullptr,
                                           0,
                                           VK_QUERY_TYPE_TIMESTAMP,
                                           2 * Times::slots_count,
                                           0};
    const Functions& next = device.next;
    if (next.vkCreateCommandPool(device.handle, &pool, nullptr, &times.commands) != VK_SUCCESS ||
        next.vkCreateQueryPool(device.handle, &queries, nullptr, &times.queries) != VK_SUCCESS)
        return false;
    const VkCommandBufferAllocateInfo two = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             nullptr, times.commands,
                                             VK_COMMAND_BUFFER_LEVEL_PRIMARY, 2};
    for (uint32_t i = 0; i < Times::slots_count; ++i) {
        VkCommandBuffer buffers[2];
        if (next.vkAllocateCommandBuffers(device.handle, &two, buffers) != VK_SUCCESS)
            return false;
        times.slots[i].before = buffers[0];
        times.slots[i].after = buffers[1];
        if (!record(device, times, i, true) || !record(device, times, i, false))
            return false;
    }
    return true;
}

/// Resetting queries needs a queue for graphics or compute.
Times* make_times(Device& device, uint32_t family, VkQueueFlags flags, uint32_t timestamp_bits)
{
    if (!timestamp_bits || !(flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT)))
        return nullptr;
    auto* times = static_cast<Times*>(calloc(1, sizeof(Times)));
    if (!times)
        return nullptr;
    if (allocate(device, *times, family))
        return times;
    free_times(device, *times);
    return nullptr;
}

void free_times(Device& device, Times& times)
{
    if (times.queries)
        device.next.vkDestroyQueryPool(device.handle, times.queries, nullptr);
    if (times.commands)
        device.next.vkDestroyCommandPool(device.handle, times.commands, nullptr);
    free(&times);
}

TimedSubmission::TimedSubmission(const Call& call, Device& device, VkQueue queue) : m_call(call)
{
    if (!EVENT_ENABLED(command_times) || !device.is_timed)
        return;
    m_queue = find_queue(device, queue);
    m_times = m_queue ? m_queue->times : nullptr;
    if (m_times && ++m_times->since_poll >= poll_every)
        harvest(*m_queue);
}

void TimedSubmission::miss(lttng_gpu_vulkan_untimed_reason reason)
{
    m_is_missed = true;
    m_reason = reason;
}

// What both kinds of batches name differently.

static uint32_t buffers_of(const VkSubmitInfo& batch)
{
    return batch.commandBufferCount;
}
static uint32_t buffers_of(const VkSubmitInfo2& batch)
{
    return batch.commandBufferInfoCount;
}

/// Structures that say something of each command buffer, or that none may be unprotected.
static bool allows_more(const VkSubmitInfo& batch)
{
    for (auto* link = static_cast<const VkBaseInStructure*>(batch.pNext); link; link = link->pNext)
        if (link->sType == VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO ||
            link->sType == VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO)
            return false;
    return true;
}
static bool allows_more(const VkSubmitInfo2& batch)
{
    return !(batch.flags & VK_SUBMIT_PROTECTED_BIT);
}

static VkSubmitInfo* batches_of(Times& times, const VkSubmitInfo*)
{
    return times.batches;
}
static VkSubmitInfo2* batches_of(Times& times, const VkSubmitInfo2*)
{
    return times.batches2;
}

static void fill(Times& times, uint32_t row, VkSubmitInfo& batch, VkCommandBuffer first,
                 VkCommandBuffer last)
{
    VkCommandBuffer* const buffers = times.buffers[row];
    uint32_t count = 0;
    if (first)
        buffers[count++] = first;
    for (uint32_t i = 0; i < batch.commandBufferCount; ++i)
        buffers[count++] = batch.pCommandBuffers[i];
    if (last)
        buffers[count++] = last;
    batch.commandBufferCount = count;
    batch.pCommandBuffers = buffers;
}

static void fill(Times& times, uint32_t row, VkSubmitInfo2& batch, VkCommandBuffer first,
                 VkCommandBuffer last)
{
    VkCommandBufferSubmitInfo* const buffers = times.buffers2[row];
    const auto own = [](VkCommandBuffer buffer) {
        return VkCommandBufferSubmitInfo{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr,
                                         buffer, 0};
    };
    uint32_t count = 0;
    if (first)
        buffers[count++] = own(first);
    for (uint32_t i = 0; i < batch.commandBufferInfoCount; ++i)
        buffers[count++] = batch.pCommandBufferInfos[i];
    if (last)
        buffers[count++] = own(last);
    batch.commandBufferInfoCount = count;
    batch.pCommandBufferInfos = buffers;
}

template <class Batch> bool TimedSubmission::is_possible(uint32_t count, const Batch* batches)
{
    if (count > Times::most_batches || buffers_of(batches[0]) > Times::most_buffers ||
        buffers_of(batches[count - 1]) > Times::most_buffers) {
        miss(LTTNG_GPU_VULKAN_TOO_LARGE);
        return false;
    }
    if (!allows_more(batches[0]) || !allows_more(batches[count - 1])) {
        miss(LTTNG_GPU_VULKAN_UNSUPPORTED);
        return false;
    }
    const uint32_t reported = __atomic_load_n(&m_times->reported, __ATOMIC_ACQUIRE);
    if (m_times->submitted - reported == Times::slots_count) {
        miss(LTTNG_GPU_VULKAN_BACKLOG);
        return false;
    }
    return true;
}

template <class Batch>
const Batch* TimedSubmission::surround_batches(uint32_t count, const Batch* batches)
{
    bool has_work = false;
    for (uint32_t i = 0; m_times && i < count; ++i)
        has_work = has_work || buffers_of(batches[i]);
    if (!has_work || !is_possible(count, batches))
        return batches;
    m_slot = &m_times->slots[m_times->submitted % Times::slots_count];
    Batch* const own = batches_of(*m_times, batches);
    for (uint32_t i = 0; i < count; ++i)
        own[i] = batches[i];
    if (count == 1) {
        fill(*m_times, 0, own[0], m_slot->before, m_slot->after);
    } else {
        fill(*m_times, 0, own[0], m_slot->before, nullptr);
        fill(*m_times, 1, own[count - 1], nullptr, m_slot->after);
    }
    return own;
}

const VkSubmitInfo* TimedSubmission::surround(uint32_t count, const VkSubmitInfo* batches)
{
    return surround_batches(count, batches);
}

const VkSubmitInfo2* TimedSubmission::surround(uint32_t count, const VkSubmitInfo2* batches)
{
    return surround_batches(count, batches);
}

void TimedSubmission::submitted(uint64_t submission, uint64_t returned_ns)
{
    if (m_is_missed)
        __atomic_fetch_add(&m_times->untimed[m_reason], 1, __ATOMIC_RELAXED);
    if (!m_slot)
        return;
    if (m_times->submitted == 0)
        expect_drivers_end();
    m_slot->submission = submission;
    m_slot->begin_ns = m_call.begin_ns();
    m_slot->returned_ns = returned_ns;
    __atomic_store_n(&m_times->submitted, m_times->submitted + 1, __ATOMIC_RELEASE);
}

} // namespace lttng_gpu::vulkan
