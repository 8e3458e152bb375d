// SPDX-License-Identifier: MIT
//
// The GPUs of this machine, their drivers, and the events that these have.
#include "checks.hpp"

#include "../correlate/base/gpu_drivers.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::doctor {
namespace fs = std::filesystem;
namespace {

std::string bound_driver(const Machine& machine, const std::string& device)
{
    std::error_code error;
    const fs::path driver = fs::read_symlink(machine.at(device + "/driver"), error);
    return error ? std::string{} : driver.filename().string();
}

bool is_in_catalogue(const std::string& module)
{
    return std::any_of(gpu_drivers.begin(), gpu_drivers.end(),
                       [&](const GpuDriver& driver) { return driver.module == module; });
}

/// Those that give jobs to the kernel's scheduler, and those known to have events of their own.
std::vector<std::string> find_drivers(const Machine& machine)
{
    std::vector<std::string> drivers;
    for (const auto& [name, file] : machine.installed_modules()) {
        if (file.needs.count("gpu_sched") != 0 || is_in_catalogue(name)) {
            drivers.push_back(name);
        }
    }
    return drivers;
}

void check_i915(const Machine& machine, const std::vector<std::string>& tracepoints,
                Findings& findings)
{
    const bool is_real =
        std::find(tracepoints.begin(), tracepoints.end(), "i915_request_in") != tracepoints.end() ||
        machine.config("CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS") == "y";
    if (is_real) {
        findings.ok("i915", "has the low-level request events (submit, execute, in, out)");
    } else if (machine.config("CONFIG_KPROBES") == "n") {
        findings.warn("i915",
                      "no low-level request events (CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS is not "
                      "set), and no kprobes to recreate them",
                      "boot a kernel with CONFIG_KPROBES=y");
    } else {
        findings.ok("i915", "the low-level request events (submit, execute, in, out) are not in "
                            "this kernel; the probe recreates them by kprobes where it can");
    }
}

} // namespace

void check_gpus(const Machine& machine, Findings& findings)
{
    constexpr std::string_view display_class = "0x03";
    bool is_any = false;
    for (const std::string& address : machine.list("/sys/bus/pci/devices")) {
        const std::string device = "/sys/bus/pci/devices/" + address;
        if (!machine.read(device + "/class").value_or("").starts_with(display_class)) {
            continue;
        }
        is_any = true;
        const std::string name =
            fmt::format("{} ({}:{})", address, machine.read(device + "/vendor").value_or("?"),
                        machine.read(device + "/device").value_or("?"));
        const std::string driver = bound_driver(machine, device);
        if (driver.empty()) {
            findings.warn(
                "GPU", name + " has no driver",
                "load a driver; if that fails, see dmesg. Without a driver there are no jobs");
        } else {
            findings.ok("GPU", fmt::format("{}, driver {}", name, driver));
        }
    }
    // GPUs of a system on chip are no PCI devices.
    for (const std::string& card : machine.list("/sys/class/drm")) {
        const std::string device = "/sys/class/drm/" + card + "/device";
        const bool is_card = card.starts_with("card") && card.find('-') == std::string::npos;
        if (is_card && !machine.exists(device + "/vendor")) {
            is_any = true;
            findings.ok("GPU", fmt::format("{}, driver {}", card, bound_driver(machine, device)));
        }
    }
    if (!is_any) {
        findings.warn("GPU", "no GPU on this machine",
                      "GPU events can be enabled, but none will occur");
    }
}

std::vector<std::string> loaded_drivers(const Machine& machine)
{
    std::vector<std::string> drivers = find_drivers(machine);
    std::erase_if(drivers, [&](const std::string& driver) { return !machine.is_loaded(driver); });
    return drivers;
}

void check_drivers(const Machine& machine, Findings& findings)
{
    const std::vector<std::string> drivers = find_drivers(machine);
    std::vector<std::string> not_loaded;
    for (const std::string& driver : drivers) {
        if (!machine.is_loaded(driver)) {
            not_loaded.push_back(driver);
            continue;
        }
        const auto tracepoints = machine.tracepoints(driver);
        const std::string btf = "/sys/kernel/btf/" + driver;
        if (!machine.exists(btf)) {
            findings.warn(
                "driver", driver + " is loaded, but has no BTF",
                "its probe cannot be built; rebuild the driver with the BTF of this kernel");
        } else {
            findings.ok("driver",
                        fmt::format("{} is loaded, with {} tracepoints{}", driver,
                                    tracepoints.size(),
                                    tracepoints.empty() || tracepoints.size() > 12
                                        ? ""
                                        : fmt::format(": {}", fmt::join(tracepoints, " "))));
        }
        if (driver == "i915") {
            check_i915(machine, tracepoints, findings);
        }
    }
    if (!not_loaded.empty()) {
        findings.ok("drivers",
                    fmt::format("available, but not loaded: {}", fmt::join(not_loaded, " ")));
    }
    if (drivers.empty()) {
        findings.warn("drivers", "this kernel has no module of a GPU driver with jobs",
                      "ignore this if a driver is built into the kernel: its events exist");
    }
}

} // namespace lttng_gpu::doctor
