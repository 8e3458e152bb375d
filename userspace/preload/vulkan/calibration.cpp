// SPDX-License-Identifier: MIT
#include "calibration.hpp"

#include <stdlib.h>
#include <string.h>

namespace lttng_gpu::vulkan {

// The same functions; the newer one has another name, which older headers do not have.
struct Extension {
    Calibration calibration;
    const char* name;
};
static const Extension extensions[] = {{Calibration::khr, "VK_KHR_calibrated_timestamps"},
                                       {Calibration::ext, "VK_EXT_calibrated_timestamps"}};

static const char* name_of(Calibration calibration)
{
    for (const Extension& extension : extensions) {
        if (extension.calibration == calibration)
            return extension.name;
    }
    return nullptr;
}

static bool is_enabled_by(const VkDeviceCreateInfo& info, const char* name)
{
    for (uint32_t i = 0; i < info.enabledExtensionCount; ++i) {
        if (!strcmp(info.ppEnabledExtensionNames[i], name))
            return true;
    }
    return false;
}

static Calibration find_offered(const Instance& instance, VkPhysicalDevice physical)
{
    uint32_t count = 0;
    if (!instance.device_extensions ||
        instance.device_extensions(physical, nullptr, &count, nullptr) != VK_SUCCESS)
        return Calibration::none;
    auto* known =
        static_cast<VkExtensionProperties*>(calloc(count + 1, sizeof(VkExtensionProperties)));
    Calibration found = Calibration::none;
    if (known && instance.device_extensions(physical, nullptr, &count, known) == VK_SUCCESS) {
        for (const Extension& extension : extensions) {
            for (uint32_t i = 0; found == Calibration::none && i < count; ++i) {
                if (!strcmp(known[i].extensionName, extension.name))
                    found = extension.calibration;
            }
        }
    }
    free(known);
    return found;
}

DeviceInfo::DeviceInfo(const Instance& instance, VkPhysicalDevice physical,
                       const VkDeviceCreateInfo& info)
    : m_info(info), m_given(info)
{
    for (const Extension& extension : extensions) {
        if (m_calibration == Calibration::none && is_enabled_by(info, extension.name))
            m_calibration = extension.calibration;
    }
    if (m_calibration == Calibration::none)
        add(find_offered(instance, physical));
}

void DeviceInfo::add(Calibration calibration)
{
    if (calibration == Calibration::none)
        return;
    const uint32_t count = m_given.enabledExtensionCount;
    m_names = static_cast<const char**>(malloc((count + 1) * sizeof(*m_names)));
    if (!m_names)
        return;
    if (count)
        memcpy(m_names, m_given.ppEnabledExtensionNames, count * sizeof(*m_names));
    m_names[count] = name_of(calibration);
    m_info.enabledExtensionCount = count + 1;
    m_info.ppEnabledExtensionNames = m_names;
    m_calibration = calibration;
}

void DeviceInfo::take_back()
{
    m_info = m_given;
    m_calibration = Calibration::none;
}

DeviceInfo::~DeviceInfo()
{
    free(m_names);
}

} // namespace lttng_gpu::vulkan
