// SPDX-License-Identifier: MIT
//
// The counters of GPUs that sysfs has: load, frequencies, power and temperatures, of the drivers'
// own files and their hwmon devices.
#pragma once

#include "descriptor.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::record {

class GpuCounter {
public:
    GpuCounter(std::string device, std::string name, std::string unit, Descriptor file)
        : x_device{std::move(device)}, x_name{std::move(name)}, x_unit{std::move(unit)},
          x_file{std::move(file)}
    {
    }

    const std::string& device() const { return x_device; }
    const std::string& name() const { return x_name; }
    const std::string& unit() const { return x_unit; }
    /// Nothing when the driver gives none: many do not while the device sleeps.
    std::optional<std::int64_t> read() const;

private:
    std::string x_device; // as rings call it
    std::string x_name;
    std::string x_unit;
    Descriptor x_file;
};

/// `sysfs` is another folder than /sys in tests only. In the order of devices and names.
std::vector<GpuCounter> find_gpu_counters(const std::filesystem::path& sysfs = "/sys");

} // namespace lttng_gpu::record
