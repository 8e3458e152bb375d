// SPDX-License-Identifier: MIT
//
// What programs need to be recorded: LTTng-UST, the layer of their API, and a driver.
#include "../correlate/base/apis.hpp"
#include "checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::doctor {
namespace fs = std::filesystem;
namespace {

/// Folders of libraries, also those of one architecture (/usr/lib/x86_64-linux-gnu).
std::vector<std::string> library_folders(const Machine& machine)
{
    std::vector<std::string> folders{"/usr/local/lib", "/usr/lib", "/usr/lib64"};
    for (const std::string& name : machine.list("/usr/lib")) {
        if (name.find("-linux-") != std::string::npos) {
            folders.push_back("/usr/lib/" + name);
        }
    }
    return folders;
}

std::string find_layer(const Api& api, const Machine& machine, const Surroundings& surroundings)
{
    std::error_code error;
    const fs::path beside = surroundings.program_folder / api.layer();
    if (!surroundings.program_folder.empty() && fs::is_regular_file(beside, error)) {
        return beside.string();
    }
    for (const std::string& folder : library_folders(machine)) {
        std::string installed = folder + "/lttng-gpu/" + api.layer();
        if (machine.exists(installed)) {
            return installed;
        }
    }
    return {};
}

bool has_ust(const Machine& machine)
{
    for (const std::string& folder : library_folders(machine)) {
        for (const std::string& name : machine.list(folder)) {
            if (name.starts_with("liblttng-ust.so.")) {
                return true;
            }
        }
    }
    return false;
}

bool check_layer(const Api& api, const Machine& machine, const Surroundings& surroundings,
                 Findings& findings)
{
    const std::string topic = fmt::format("{} layer", api.title);
    const std::string layer = find_layer(api, machine, surroundings);
    if (layer.empty()) {
        findings.warn(
            topic, fmt::format("not installed: {} calls are not recorded", api.title),
            fmt::format("apt-get install lttng-gpu-{}, or in the source tree: make install",
                        api.name));
        return false;
    }
    findings.ok(topic, layer);
    return true;
}

/// Of packages, and of what was installed by hand.
void check_vulkan_drivers(const Machine& machine, Findings& findings)
{
    std::vector<std::string> drivers;
    for (const char* folder : {"/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"}) {
        for (std::string& name : machine.list(folder)) {
            drivers.push_back(std::move(name));
        }
    }
    findings.ok("Vulkan", drivers.empty() ? "no driver in /usr/share/vulkan/icd.d"
                                          : fmt::format("drivers: {}", fmt::join(drivers, " ")));
}

} // namespace

bool check_user_space(const Machine& machine, const Surroundings& surroundings, Findings& findings)
{
    const bool has_library = has_ust(machine);
    if (has_library) {
        findings.ok("LTTng-UST", "installed");
    } else {
        findings.warn("LTTng-UST", "not installed: user space is not recorded",
                      "apt-get install liblttng-ust1");
    }
    bool has_layer = false;
    for (const Api& api : apis) {
        has_layer = check_layer(api, machine, surroundings, findings) || has_layer;
    }
    const auto drivers = machine.list("/etc/OpenCL/vendors");
    findings.ok("OpenCL", drivers.empty() ? "no driver in /etc/OpenCL/vendors"
                                          : fmt::format("drivers: {}", fmt::join(drivers, " ")));
    check_vulkan_drivers(machine, findings);
    return has_library && has_layer;
}

} // namespace lttng_gpu::doctor
