// SPDX-License-Identifier: MIT
//
// The counters of GPUs: load, frequencies, power and temperatures, of the drivers' own files in
// sysfs, their hwmon devices, amdgpu's table gpu_metrics, and i915's and xe's PMU.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lttng_gpu::record {

/// Where the value of one or more counters comes from.
class CounterReader {
public:
    CounterReader() = default;
    CounterReader(const CounterReader&) = delete;
    CounterReader& operator=(const CounterReader&) = delete;
    virtual ~CounterReader() = default;

    /// `round`: counters that share a table have it read once in a round.
    virtual std::optional<std::int64_t> read(std::uint64_t round) = 0;
};

class GpuCounter {
public:
    GpuCounter(std::string device, std::string name, std::string unit,
               std::unique_ptr<CounterReader> reader)
        : m_device{std::move(device)}, m_name{std::move(name)}, m_unit{std::move(unit)},
          m_reader{std::move(reader)}
    {
    }

    const std::string& device() const { return m_device; }
    const std::string& name() const { return m_name; }
    const std::string& unit() const { return m_unit; }
    /// Nothing when the driver gives none: many do not while the device sleeps.
    std::optional<std::int64_t> read(std::uint64_t round = 1) const
    {
        return m_reader->read(round);
    }

private:
    std::string m_device; // as rings call it
    std::string m_name;
    std::string m_unit;
    std::unique_ptr<CounterReader> m_reader;
};

/// `sysfs` is another folder than /sys in tests only. In the order of devices and names.
std::vector<GpuCounter> find_gpu_counters(const std::filesystem::path& sysfs = "/sys");

} // namespace lttng_gpu::record
