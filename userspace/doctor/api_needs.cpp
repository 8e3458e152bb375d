// SPDX-License-Identifier: MIT
//
// See api_needs.hpp. Where loaders look for drivers: OpenCL's by the extension cl_khr_icd, Vulkan's
// by LoaderDriverInterface.md of the Vulkan loader, EGL's by libglvnd's icd_enumeration.md. ROCm
// has none: its runtime opens the kernel's device.
#include "api_needs.hpp"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace lttng_gpu::doctor {
namespace fs = std::filesystem;
namespace {

struct ApiNeeds {
    std::string_view name; // as in apis.def
    std::string_view loader;
    std::string_view loader_package;
    std::array<std::string_view, 2> driver_folders;
    std::string_view driver_ending;
    std::string_view device; // in place of drivers
};

constexpr std::array needs{
    ApiNeeds{
        "opencl", "libOpenCL.so.1", "ocl-icd-libopencl1", {"/etc/OpenCL/vendors", ""}, ".icd", ""},
    ApiNeeds{"gl",
             "libGLdispatch.so.0",
             "libglvnd0",
             {"/usr/share/glvnd/egl_vendor.d", "/etc/glvnd/egl_vendor.d"},
             ".json",
             ""},
    ApiNeeds{"vulkan",
             "libvulkan.so.1",
             "libvulkan1",
             {"/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"},
             ".json",
             ""},
    ApiNeeds{"hsa", "libhsa-runtime64.so.1", "libhsa-runtime64-1", {"", ""}, "", "/dev/kfd"},
};

const ApiNeeds* needs_of(const Api& api)
{
    const auto* const found = std::ranges::find(needs, api.name, &ApiNeeds::name);
    return found == needs.end() ? nullptr : found;
}

std::string find_library(const Machine& machine, std::string_view name)
{
    for (const std::string& folder : library_folders(machine)) {
        std::string path = fmt::format("{}/{}", folder, name);
        if (machine.exists(path)) {
            return path;
        }
    }
    return {};
}

/// Beside the program, as in a build folder, or where it is installed.
std::string find_ours(const std::string& name, const Machine& machine,
                      const Environment& environment)
{
    std::error_code error;
    const fs::path beside = environment.program_folder / name;
    if (!environment.program_folder.empty() && fs::is_regular_file(beside, error)) {
        return beside.string();
    }
    return find_library(machine, "lttng-gpu/" + name);
}

std::vector<std::string> find_drivers(const ApiNeeds& need, const Machine& machine)
{
    std::vector<std::string> drivers;
    for (const std::string_view folder : need.driver_folders) {
        for (const std::string& name :
             folder.empty() ? std::vector<std::string>{} : machine.list(folder)) {
            if (name.ends_with(need.driver_ending)) {
                drivers.push_back(name);
            }
        }
    }
    if (!need.device.empty() && machine.exists(need.device)) {
        drivers.emplace_back(need.device);
    }
    return drivers;
}

std::string shown(std::string_view what, const std::string& place)
{
    return fmt::format("{} {}", what, place.empty() ? "not there" : "there");
}

} // namespace

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

ApiParts find_parts(const Api& api, const Machine& machine, const Environment& environment)
{
    ApiParts parts;
    parts.title = api.title;
    if (const ApiNeeds* const need = needs_of(api)) {
        parts.loader = find_library(machine, need->loader);
        parts.loader_package = need->loader_package;
        parts.drivers = find_drivers(*need, machine);
    }
    parts.layer = find_ours(api.layer(), machine, environment);
    parts.provider =
        find_ours(fmt::format("liblttng-gpu-{}-provider.so", api.name), machine, environment);
    return parts;
}

std::string api_lines(const Machine& machine, const Environment& environment)
{
    std::string lines;
    for (const Api& api : apis) {
        const ApiParts parts = find_parts(api, machine, environment);
        lines += fmt::format("{}: {}, {}, {}, {}\n", parts.title, shown("layer", parts.layer),
                             shown("provider", parts.provider), shown("loader", parts.loader),
                             parts.drivers.empty()
                                 ? "no driver"
                                 : fmt::format("drivers {}", fmt::join(parts.drivers, " ")));
    }
    return lines;
}

std::string api_lines_here()
{
    return api_lines(Machine{"/"}, find_environment());
}

} // namespace lttng_gpu::doctor
