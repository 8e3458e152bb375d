// SPDX-License-Identifier: MIT
#include "calibration.hpp"

#include <stdlib.h>
#include <string.h>

namespace lttng_gpu::vulkan {

// The same functions; the newer one has another name, which older headers do not have.
static const char* const names[] = {"VK_KHR_calibrated_timestamps", "VK_EXT_calibrated_timestamps"};

static bool is_enabled_by(const VkDeviceCreateInfo& info, const char* name)
{
    for (uint32_t i = 0; i < info.enabledExtensionCount; ++i) {
        if (!strcmp(info.ppEnabledExtensionNames[i], name))
            return true;
    }
    return false;
}

/// Null: the device has none of them.
static const char* find_offered(const Instance& instance, VkPhysicalDevice physical)
{
    uint32_t count = 0;
    if (!instance.device_extensions ||
        instance.device_extensions(physical, nullptr, &count, nullptr) != VK_SUCCESS)
        return nullptr;
    auto* known =
        static_cast<VkExtensionProperties*>(calloc(count + 1, sizeof(VkExtensionProperties)));
    const char* found = nullptr;
    if (known && instance.device_extensions(physical, nullptr, &count, known) == VK_SUCCESS) {
        for (const char* name : names) {
            for (uint32_t i = 0; !found && i < count; ++i)
                found = !strcmp(known[i].extensionName, name) ? name : nullptr;
        }
    }
    free(known);
    return found;
}

DeviceInfo::DeviceInfo(const Instance& instance, VkPhysicalDevice physical,
                       const VkDeviceCreateInfo& info)
    : x_info(info), x_given(info)
{
    for (const char* name : names)
        x_has_calibration = x_has_calibration || is_enabled_by(info, name);
    const char* const offered = x_has_calibration ? nullptr : find_offered(instance, physical);
    if (offered)
        add(offered);
}

void DeviceInfo::add(const char* name)
{
    const uint32_t count = x_given.enabledExtensionCount;
    x_names = static_cast<const char**>(malloc((count + 1) * sizeof(*x_names)));
    if (!x_names)
        return;
    if (count)
        memcpy(x_names, x_given.ppEnabledExtensionNames, count * sizeof(*x_names));
    x_names[count] = name;
    x_info.enabledExtensionCount = count + 1;
    x_info.ppEnabledExtensionNames = x_names;
    x_has_calibration = true;
}

void DeviceInfo::take_back()
{
    x_info = x_given;
    x_has_calibration = false;
}

DeviceInfo::~DeviceInfo()
{
    free(x_names);
}

} // namespace lttng_gpu::vulkan
