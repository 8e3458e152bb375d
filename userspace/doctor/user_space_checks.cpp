// SPDX-License-Identifier: MIT
//
// What OpenCL programs need to be recorded: LTTng-UST, the layer, and a driver.
#include "checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::doctor {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view layer_name = "liblttng-gpu-opencl.so";
constexpr std::string_view installed_layer = "/lttng-gpu/liblttng-gpu-opencl.so";

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

std::string find_layer(const Machine& machine, const Surroundings& surroundings)
{
    std::error_code error;
    const fs::path beside = surroundings.program_folder / layer_name;
    if (!surroundings.program_folder.empty() && fs::is_regular_file(beside, error)) {
        return beside.string();
    }
    for (const std::string& folder : library_folders(machine)) {
        if (machine.exists(folder + std::string{installed_layer})) {
            return folder + std::string{installed_layer};
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
    const std::string layer = find_layer(machine, surroundings);
    if (layer.empty()) {
        findings.warn("OpenCL layer", "not installed: OpenCL calls are not recorded",
                      "apt-get install lttng-gpu-opencl, or in the source tree: make install");
    } else {
        findings.ok("OpenCL layer", layer);
    }
    const auto drivers = machine.list("/etc/OpenCL/vendors");
    findings.ok("OpenCL", drivers.empty() ? "no driver in /etc/OpenCL/vendors"
                                          : fmt::format("drivers: {}", fmt::join(drivers, " ")));
    return has_library && !layer.empty();
}

} // namespace lttng_gpu::doctor
