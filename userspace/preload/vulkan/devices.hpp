// SPDX-License-Identifier: MIT
//
// Instances, devices and queues of the program. A record is found by the key that the loader puts
// into each dispatchable object, without a lock; it is there from the object's creation to its
// destruction, which the program does not let overlap with other uses.
#pragma once

#include "command_counts.hpp"
#include "device_clock.hpp"
#include "functions.hpp"
#include "runtime/description.hpp"
#include "runtime/key_table.hpp"
#include "runtime/lock.hpp"

namespace lttng_gpu::vulkan {

struct Instance {
    VkInstance handle;
    PFN_vkGetInstanceProcAddr next_address;
    PFN_vkDestroyInstance destroy;
    PFN_vkGetPhysicalDeviceProperties physical_properties;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties queue_families;
    PFN_vkEnumerateDeviceExtensionProperties device_extensions;
    bool counts_commands; ///< as the program asked when it was made
    // Of each name of the extension. The loader may have a function that the device's driver has
    // not. It ends the program when it is called then, as Chromium 156's does
    // (terminator_GetPhysicalDeviceCalibrateableTimeDomainsKHR(), loader_extensions.c of
    // Vulkan-Loader).
    PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT time_domains_khr, time_domains_ext;
};

struct Device;
struct Times;

struct Queue {
    VkQueue handle;
    Device* device;
    Queue* next; ///< in the list of its device; constant once there
    uint32_t family, index;
    VkQueueFlags flags;
    uint32_t timestamp_bits;
    Times* times; ///< null: no timestamps are put around its submissions
    Description description;
};

/// Since the device was made.
struct Counts {
    uint64_t begins, ends, resets;
};

struct Device {
    Functions next;
    PFN_vkGetDeviceProcAddr next_address;
    PFN_vkDestroyDevice destroy;
    PFN_vkSetDeviceLoaderData set_loader_data;
    VkDevice handle;
    VkPhysicalDevice physical;
    const Instance* instance;
    Queue* queues; ///< first of the list
    SpinLock queues_lock;
    bool is_timed; ///< times were asked for when it was made
    DeviceClock clock;
    alignas(64) Counts counts;
    uint64_t counts_told_ns;
    CommandCounts commands[CommandCounts::places];
    Description description;
};

extern KeyTable<Instance> instances;
extern KeyTable<Device> devices;

/// Of a device, a queue or a command buffer.
template <class Object> inline Device& device_of(Object object)
{
    return *devices.find(key_of(object));
}

/// Null: the program did not ask for that queue.
Queue* find_queue(const Device& device, VkQueue queue);
/// Notes that the program has it. Null without memory. Times are for those without flags.
Queue* note_queue(Device& device, VkQueue queue, uint32_t family, uint32_t index,
                  VkDeviceQueueCreateFlags flags);
void free_queues(Device& device);

/// Writes what both are, if that is due. The queue may be null.
void describe(Device& device, Queue* queue, uint64_t now);
/// Writes how many command buffers were recorded, if `is_last` or if that was not told just now.
void tell_counts(Device& device, uint64_t now, bool is_last);

} // namespace lttng_gpu::vulkan
