// SPDX-License-Identifier: MIT
//
// The extension by which device and host clocks are read together. Programs rarely enable it, so
// the layer does where times are wanted.
#pragma once

#include "devices.hpp"

namespace lttng_gpu::vulkan {

/// What a device is made of: the program's own, or with one more extension.
class DeviceInfo {
public:
    DeviceInfo(const Instance& instance, VkPhysicalDevice physical, const VkDeviceCreateInfo& info);
    DeviceInfo(const DeviceInfo&) = delete;
    DeviceInfo& operator=(const DeviceInfo&) = delete;
    ~DeviceInfo();

    const VkDeviceCreateInfo* get() const { return &m_info; }
    /// What the device will have.
    Calibration calibration() const { return m_calibration; }
    bool is_changed() const { return m_names; }
    /// The driver did not like it.
    void take_back();

private:
    void add(Calibration calibration);

    VkDeviceCreateInfo m_info;
    const VkDeviceCreateInfo& m_given;
    const char** m_names = nullptr;
    Calibration m_calibration = Calibration::none;
};

} // namespace lttng_gpu::vulkan
