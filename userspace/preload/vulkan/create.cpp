// SPDX-License-Identifier: MIT
#include "create.hpp"

#include <stdlib.h>

#include "calibration.hpp"
#include "calls.hpp"
#include "commands.hpp"
#include "devices.hpp"
#include "harvest.hpp"
#include "times.hpp"

namespace lttng_gpu::vulkan {

/// What the loader says to layers, in the chain of what the program says.
template <class Info>
static Info* find_info(const void* chain, VkStructureType type, VkLayerFunction function)
{
    for (auto* link = static_cast<const VkBaseInStructure*>(chain); link; link = link->pNext) {
        auto* const info = reinterpret_cast<const Info*>(link);
        if (link->sType == type && info->function == function)
            return const_cast<Info*>(info); // to be changed for the next layer
    }
    return nullptr;
}

template <class Function>
static void load(const Instance& instance, const char* name, Function& function)
{
    function = reinterpret_cast<Function>(instance.next_address(instance.handle, name));
}

/// The record and its place are there before the object is, because it cannot be taken back: the
/// loader frees what is its own twice when a layer destroys the instance that it says has failed.
template <class Record> static Record* make_record(KeyTable<Record>& table)
{
    void* memory = nullptr;
    if (posix_memalign(&memory, alignof(Record), sizeof(Record)) != 0)
        return nullptr;
    if (!table.reserve()) {
        free(memory);
        return nullptr;
    }
    __builtin_memset(memory, 0, sizeof(Record));
    return static_cast<Record*>(memory);
}

template <class Record> static void drop_record(KeyTable<Record>& table, Record* record)
{
    table.give_back_reserved();
    free(record);
}

static void note_instance(Instance& instance, VkInstance handle,
                          PFN_vkGetInstanceProcAddr next_address)
{
    instance.handle = handle;
    instance.next_address = next_address;
    instance.counts_commands = are_commands_counted();
    load(instance, "vkDestroyInstance", instance.destroy);
    load(instance, "vkGetPhysicalDeviceProperties", instance.physical_properties);
    load(instance, "vkGetPhysicalDeviceQueueFamilyProperties", instance.queue_families);
    load(instance, "vkEnumerateDeviceExtensionProperties", instance.device_extensions);
    load(instance, "vkGetPhysicalDeviceCalibrateableTimeDomainsKHR", instance.time_domains_khr);
    load(instance, "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT", instance.time_domains_ext);
    instances.set_reserved(key_of(handle), &instance);
}

VKAPI_ATTR VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info,
                                               const VkAllocationCallbacks* allocator,
                                               VkInstance* instance)
{
    auto* const chain = find_info<VkLayerInstanceCreateInfo>(
        info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO, VK_LAYER_LINK_INFO);
    if (!chain || !chain->u.pLayerInfo)
        return VK_ERROR_INITIALIZATION_FAILED;
    const PFN_vkGetInstanceProcAddr next_address = chain->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    const auto create =
        reinterpret_cast<PFN_vkCreateInstance>(next_address(nullptr, "vkCreateInstance"));
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;
    chain->u.pLayerInfo = chain->u.pLayerInfo->pNext;
    // Twice in the chain, by two manifests: only the lower one does something.
    if (next_address == get_instance_address)
        return create(info, allocator, instance);
    attach_provider();
    const Call call{Name::vkCreateInstance};
    call.may_block();
    Instance* const record = make_record(instances);
    const VkResult result =
        record ? create(info, allocator, instance) : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS)
        note_instance(*record, *instance, next_address);
    else if (record)
        drop_record(instances, record);
    call.returned(result);
    return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_instance(VkInstance handle,
                                            const VkAllocationCallbacks* allocator)
{
    if (!handle)
        return;
    // Another instance may get the key as soon as the loader has let it go.
    const void* const key = key_of(handle);
    Instance* const instance = instances.find(key);
    if (!instance)
        return;
    const Call call{Name::vkDestroyInstance};
    call.may_block();
    instances.remove(key);
    instance->destroy(handle, allocator);
    free(instance);
    call.returned(VK_SUCCESS);
}

/// Of an extension of instances: the loader asks for them by the instance, also where the device
/// has none, and has some of its own then.
static void load_debug_utils(Device& device)
{
    const auto load_missing = [&device](const char* name, auto& function) {
        if (!function)
            load(*device.instance, name, function);
    };
    load_missing("vkSetDebugUtilsObjectNameEXT", device.next.vkSetDebugUtilsObjectNameEXT);
    load_missing("vkQueueBeginDebugUtilsLabelEXT", device.next.vkQueueBeginDebugUtilsLabelEXT);
    load_missing("vkQueueEndDebugUtilsLabelEXT", device.next.vkQueueEndDebugUtilsLabelEXT);
    load_missing("vkQueueInsertDebugUtilsLabelEXT", device.next.vkQueueInsertDebugUtilsLabelEXT);
}

static void load_functions(Device& device)
{
    auto* const functions = reinterpret_cast<PFN_vkVoidFunction*>(&device.next);
    static_assert(sizeof(device.next) == functions_count * sizeof(*functions), "only pointers");
    for (unsigned i = 0; i < functions_count; ++i)
        functions[i] = device.next_address(device.handle, function_names[i]);
    if (!device.next.vkGetCalibratedTimestampsEXT) // of later drivers
        device.next.vkGetCalibratedTimestampsEXT =
            reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(
                device.next_address(device.handle, "vkGetCalibratedTimestampsKHR"));
    load_debug_utils(device);
}

/// What is known of a device before it is noted.
struct NewDevice {
    VkPhysicalDevice physical;
    const Instance& instance;
    PFN_vkGetDeviceProcAddr next_address;
    PFN_vkSetDeviceLoaderData set_loader_data;
    TimesWish wish;
    Calibration calibration;
};

static void note_device(Device& device, const NewDevice& made, VkDevice handle)
{
    device.handle = handle;
    device.physical = made.physical;
    device.instance = &made.instance;
    device.next_address = made.next_address;
    device.set_loader_data = made.set_loader_data;
    device.is_timed = made.wish != TimesWish::none;
    device.destroy =
        reinterpret_cast<PFN_vkDestroyDevice>(made.next_address(handle, "vkDestroyDevice"));
    load_functions(device);
    if (device.is_timed)
        begin_clock(device, made.calibration);
    devices.set_reserved(key_of(handle), &device);
}

/// Makes it, with the extension that the layer wants or without.
static VkResult make_device(PFN_vkCreateDevice create, VkLayerDeviceCreateInfo& chain,
                            NewDevice& made, const VkDeviceCreateInfo& info,
                            const VkAllocationCallbacks* allocator, VkDevice* device)
{
    VkLayerDeviceLink* const next = chain.u.pLayerInfo->pNext;
    chain.u.pLayerInfo = next;
    if (made.wish != TimesWish::calibrated)
        return create(made.physical, &info, allocator, device);
    DeviceInfo changed(made.instance, made.physical, info);
    VkResult result = create(made.physical, changed.get(), allocator, device);
    if (result != VK_SUCCESS && changed.is_changed()) {
        changed.take_back();
        chain.u.pLayerInfo = next; // the layers below have gone on in it
        result = create(made.physical, changed.get(), allocator, device);
    }
    made.calibration = changed.calibration();
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                             const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* allocator,
                                             VkDevice* device)
{
    constexpr auto type = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO;
    auto* const chain = find_info<VkLayerDeviceCreateInfo>(info->pNext, type, VK_LAYER_LINK_INFO);
    auto* const callback =
        find_info<VkLayerDeviceCreateInfo>(info->pNext, type, VK_LOADER_DATA_CALLBACK);
    const Instance* const instance = instances.find(key_of(physical));
    if (!chain || !chain->u.pLayerInfo || !instance)
        return VK_ERROR_INITIALIZATION_FAILED;
    const VkLayerDeviceLink link = *chain->u.pLayerInfo;
    const auto create = reinterpret_cast<PFN_vkCreateDevice>(
        link.pfnNextGetInstanceProcAddr(instance->handle, "vkCreateDevice"));
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;
    if (link.pfnNextGetDeviceProcAddr == get_device_address) { // twice in the chain
        chain->u.pLayerInfo = link.pNext;
        return create(physical, info, allocator, device);
    }
    const Call call{Name::vkCreateDevice};
    call.may_block();
    NewDevice made = {physical,
                      *instance,
                      link.pfnNextGetDeviceProcAddr,
                      callback ? callback->u.pfnSetDeviceLoaderData : nullptr,
                      is_attached() ? find_wish() : TimesWish::none,
                      Calibration::none};
    Device* const record = make_record(devices);
    const VkResult result = record ? make_device(create, *chain, made, *info, allocator, device)
                                   : VK_ERROR_OUT_OF_HOST_MEMORY;
    if (result == VK_SUCCESS)
        note_device(*record, made, *device);
    else if (record)
        drop_record(devices, record);
    call.returned(result);
    if (result == VK_SUCCESS)
        describe(*record, nullptr, call.begin_ns());
    return result;
}

VKAPI_ATTR void VKAPI_CALL destroy_device(VkDevice handle, const VkAllocationCallbacks* allocator)
{
    if (!handle)
        return;
    const void* const key = key_of(handle);
    Device* const device = devices.find(key);
    if (!device)
        return;
    const Call call{Name::vkDestroyDevice};
    call.may_block();
    tell_counts(*device, call.begin_ns(), true);
    end_times(*device);
    // Another device may get the key as soon as the loader has let it go.
    devices.remove(key);
    free_queues(*device);
    device->destroy(handle, allocator);
    free(device);
    call.returned(VK_SUCCESS);
}

} // namespace lttng_gpu::vulkan
