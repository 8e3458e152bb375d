// SPDX-License-Identifier: MIT
//
// The doors of a Vulkan layer (vk_layer.h): the loader, and the layers above, ask for functions by
// name. Of those that are not wrapped, and of all that are not known, the next layer's are given.
#include <string.h>

#include "create.hpp"
#include "devices.hpp"
#include "wrappers.hpp"

namespace lttng_gpu::vulkan {

/// Null: the function is not in the table.
static PFN_vkVoidFunction find(const Wrapper* table, unsigned count, const char* name)
{
    unsigned begin = 0, end = count;
    while (begin < end) {
        const unsigned middle = (begin + end) / 2;
        const int order = strcmp(name, table[middle].name);
        if (!order)
            return table[middle].function;
        (order < 0 ? end : begin) = order < 0 ? middle : middle + 1;
    }
    return nullptr;
}

template <class Function> static PFN_vkVoidFunction as_function(Function function)
{
    return reinterpret_cast<PFN_vkVoidFunction>(function);
}

static PFN_vkVoidFunction find_device_door(const char* name)
{
    if (!strcmp(name, "vkGetDeviceProcAddr"))
        return as_function(get_device_address);
    if (!strcmp(name, "vkDestroyDevice"))
        return as_function(destroy_device);
    return nullptr;
}

static PFN_vkVoidFunction find_instance_door(const char* name)
{
    if (!strcmp(name, "vkGetInstanceProcAddr"))
        return as_function(get_instance_address);
    if (!strcmp(name, "vkCreateInstance"))
        return as_function(create_instance);
    if (!strcmp(name, "vkDestroyInstance"))
        return as_function(destroy_instance);
    if (!strcmp(name, "vkCreateDevice"))
        return as_function(create_device);
    return nullptr;
}

/// What the next layer has not, this one has not either.
static PFN_vkVoidFunction over(PFN_vkVoidFunction next, const Instance& instance, const char* name)
{
    if (!next)
        return nullptr;
    PFN_vkVoidFunction wrapper = find(wrappers, wrappers_count, name);
    if (!wrapper && instance.counts_commands)
        wrapper = find(command_wrappers, command_wrappers_count, name);
    return wrapper ? wrapper : next;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_address(VkInstance instance, const char* name)
{
    if (PFN_vkVoidFunction door = find_instance_door(name))
        return door;
    if (!instance)
        return nullptr;
    if (PFN_vkVoidFunction door = find_device_door(name))
        return door;
    const Instance* const known = instances.find(key_of(instance));
    return known ? over(known->next_address(instance, name), *known, name) : nullptr;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_address(VkDevice device, const char* name)
{
    if (PFN_vkVoidFunction door = find_device_door(name))
        return door;
    const Device* const known = device ? devices.find(key_of(device)) : nullptr;
    return known ? over(known->next_address(device, name), *known->instance, name) : nullptr;
}

} // namespace lttng_gpu::vulkan

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* interface)
{
    constexpr uint32_t version = 2;
    if (!interface || interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
        interface->loaderLayerInterfaceVersion < version)
        return VK_ERROR_INITIALIZATION_FAILED;
    interface->loaderLayerInterfaceVersion = version;
    interface->pfnGetInstanceProcAddr = lttng_gpu::vulkan::get_instance_address;
    interface->pfnGetDeviceProcAddr = lttng_gpu::vulkan::get_device_address;
    interface->pfnGetPhysicalDeviceProcAddr = nullptr; // none is wrapped
    return VK_SUCCESS;
}
