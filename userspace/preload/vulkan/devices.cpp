// SPDX-License-Identifier: MIT
#include "devices.hpp"

#include <stdlib.h>

#include "harvest.hpp"
#include "provider.hpp"
#include "times.hpp"

namespace lttng_gpu::vulkan {

KeyTable<Instance> instances;
KeyTable<Device> devices;

/// The counts are sums: each event has all that came before.
static constexpr uint64_t counts_pause_ns = 10'000'000;
static constexpr uint32_t most_families = 32;

Queue* find_queue(const Device& device, VkQueue handle)
{
    Queue* queue = __atomic_load_n(&device.queues, __ATOMIC_ACQUIRE);
    while (queue && queue->handle != handle)
        queue = queue->next;
    return queue;
}

static VkQueueFamilyProperties family_of(const Device& device, uint32_t family)
{
    VkQueueFamilyProperties known[most_families] = {};
    uint32_t count = most_families;
    if (family < most_families)
        device.instance->queue_families(device.physical, &count, known);
    return family < count && family < most_families ? known[family] : VkQueueFamilyProperties{};
}

static void free_queue(Device& device, Queue& queue)
{
    if (queue.times)
        free_times(device, *queue.times);
    free(&queue);
}

/// What is there already, if another thread was faster.
static Queue* add_queue(Device& device, Queue& queue)
{
    Guard guard(device.queues_lock);
    if (Queue* known = find_queue(device, queue.handle))
        return known;
    queue.next = device.queues;
    __atomic_store_n(&device.queues, &queue, __ATOMIC_RELEASE);
    return nullptr;
}

Queue* note_queue(Device& device, VkQueue handle, uint32_t family, uint32_t index,
                  VkDeviceQueueCreateFlags flags)
{
    if (Queue* known = find_queue(device, handle))
        return known;
    const VkQueueFamilyProperties properties = family_of(device, family);
    auto* queue = static_cast<Queue*>(calloc(1, sizeof(Queue)));
    if (!queue)
        return nullptr;
    queue->handle = handle;
    queue->device = &device;
    queue->family = family;
    queue->index = index;
    queue->flags = properties.queueFlags;
    queue->timestamp_bits = properties.timestampValidBits;
    if (device.is_timed && !flags)
        queue->times = make_times(device, family, queue->flags, queue->timestamp_bits);
    if (queue->times)
        watch_exit();
    Queue* const known = add_queue(device, *queue);
    if (known)
        free_queue(device, *queue);
    return known ? known : queue;
}

void free_queues(Device& device)
{
    while (Queue* queue = device.queues) {
        device.queues = queue->next;
        free_queue(device, *queue);
    }
}

static void write_device(const Device& device)
{
    VkPhysicalDeviceProperties properties = {};
    device.instance->physical_properties(device.physical, &properties);
    const double resolution = double(properties.limits.timestampPeriod);
    const lttng_gpu_vulkan_device record = {handle(device.handle),
                                            handle(device.physical),
                                            handle(device.instance->handle),
                                            properties.deviceName,
                                            properties.vendorID,
                                            properties.driverVersion,
                                            properties.apiVersion,
                                            resolution > 1 ? uint64_t(resolution) : 1,
                                            device.clock.is_calibrated};
    events.device(&record);
}

void describe(Device& device, Queue* queue, uint64_t now)
{
    if (device.description.is_due(now) && EVENT_ENABLED(device))
        write_device(device);
    if (!queue || !queue->description.is_due(now) || !EVENT_ENABLED(queue))
        return;
    const lttng_gpu_vulkan_queue record = {
        handle(device.handle), handle(queue->handle), queue->family,          queue->index,
        queue->flags,          queue->timestamp_bits, queue->times != nullptr};
    events.queue(&record);
}

void tell_counts(Device& device, uint64_t now, bool is_last)
{
    if (!EVENT_ENABLED(command_buffers))
        return;
    const uint64_t told = __atomic_load_n(&device.counts_told_ns, __ATOMIC_RELAXED);
    if (!is_last && told && int64_t(now - told) < int64_t(counts_pause_ns))
        return;
    __atomic_store_n(&device.counts_told_ns, now, __ATOMIC_RELAXED);
    const auto count = [](const uint64_t& value) {
        return __atomic_load_n(&value, __ATOMIC_RELAXED);
    };
    const lttng_gpu_vulkan_command_buffers record = {
        handle(device.handle), count(device.counts.begins), count(device.counts.ends),
        count(device.counts.resets)};
    events.command_buffers(&record);
}

} // namespace lttng_gpu::vulkan
