// SPDX-License-Identifier: MIT
//
// See api_layers.hpp.
#include "api_layers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#ifndef LTTNG_GPU_LIBDIR
#define LTTNG_GPU_LIBDIR "/usr/local/lib"
#endif
#ifndef LTTNG_GPU_MULTIARCH
#define LTTNG_GPU_MULTIARCH "x86_64-linux-gnu"
#endif

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

std::string in_environment(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// The value with one more entry, unless a library of that file name is in it.
std::string with_entry(const std::string& list, const fs::path& library, char separator = ':')
{
    if (list.find(library.filename().string()) != std::string::npos) {
        return list;
    }
    return list.empty() ? library.string() : list + separator + library.string();
}

std::string upper_case(std::string_view text)
{
    std::string upper{text};
    std::ranges::transform(upper, upper.begin(),
                           [](unsigned char letter) { return std::toupper(letter); });
    return upper;
}

/// Empty: not there.
fs::path find_library(const std::string& file_name)
{
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path folder = program.parent_path();
    // Where `make install` puts it, below the folder of libraries.
    const fs::path installed = fs::path{"lttng-gpu"} / file_name;
    // A folder for each architecture in Debian's packages.
    const std::array<fs::path, 5> candidates{folder / file_name, folder / "../lib" / installed,
                                             folder / "../lib" / LTTNG_GPU_MULTIARCH / installed,
                                             folder / "../lib64" / installed,
                                             fs::path{LTTNG_GPU_LIBDIR} / installed};
    for (const fs::path& candidate : candidates) {
        if (fs::is_regular_file(candidate, error)) {
            return fs::canonical(candidate, error);
        }
    }
    return {};
}

bool has_lttng_ust()
{
    const fs::path name{"liblttng-ust-common.so.1"};
    const std::array<fs::path, 4> folders{fs::path{"/usr/local/lib"},
                                          fs::path{"/usr/lib"} / LTTNG_GPU_MULTIARCH, "/usr/lib64",
                                          "/usr/lib"};
    std::error_code error;
    return std::ranges::any_of(
        folders, [&](const fs::path& folder) { return fs::is_regular_file(folder / name, error); });
}

/// The manifest has a variable of its own that turns it on. In a build folder it lies in `share`
/// beside the library; an installed one is where the loader looks anyway.
void add_manifest(std::vector<Setting>& settings, const Api& api, const fs::path& library)
{
    const fs::path share = library.parent_path() / "share";
    std::error_code error;
    if (fs::is_directory(share, error)) {
        std::string folders = in_environment(api.loader_variable);
        if (folders.empty()) {
            folders = "/usr/local/share:/usr/share"; // what an empty XDG_DATA_DIRS means
        }
        settings.emplace_back(api.loader_variable, share.string() + ":" + folders);
    }
    settings.emplace_back("LTTNG_GPU_" + upper_case(api.name), "1");
}

/// A program that gcc built with AddressSanitizer ends when its library is not the first one
/// (compiler-rt, AsanCheckDynamicRTPrereqs()). Its functions come before the C library's all the
/// same, because what is preloaded has none of their names. Other programs do not read the
/// variable, so that it is right for scripts and children, too.
void allow_preload_with_asan(std::vector<Setting>& settings)
{
    constexpr std::string_view option = "verify_asan_link_order";
    std::string options = in_environment("ASAN_OPTIONS");
    if (options.find(option) != std::string::npos) {
        return;
    }
    options += options.empty() ? "" : ":";
    settings.emplace_back("ASAN_OPTIONS", options + std::string{option} + "=0");
}

/// Ours, which keeps LTTng's descriptors open. Empty: not there, or without the library that it
/// needs.
fs::path descriptor_guard()
{
    return has_lttng_ust() ? find_library("liblttng-gpu-descriptors.so") : fs::path{};
}

} // namespace

std::vector<ApiLayer> find_layers()
{
    std::vector<ApiLayer> found;
    for (const Api& api : apis) {
        if (fs::path library = find_library(api.layer()); !library.empty()) {
            found.push_back({&api, std::move(library)});
        }
    }
    return found;
}

std::vector<Setting> layer_settings(const std::vector<ApiLayer>& layers, bool has_preload)
{
    std::vector<Setting> settings;
    std::string preloaded = in_environment("LD_PRELOAD");
    for (const auto& [api, library] : layers) {
        const char* const variable = api->loader_variable;
        switch (api->loading) {
        case LayerLoading::Libraries:
            settings.emplace_back(variable, with_entry(in_environment(variable), library));
            if (has_preload) {
                preloaded = with_entry(preloaded, library);
            }
            break;
        case LayerLoading::Preload:
            preloaded = with_entry(preloaded, library);
            break;
        case LayerLoading::Manifests:
            add_manifest(settings, *api, library);
            break;
        case LayerLoading::Tools:
            settings.emplace_back(variable, with_entry(in_environment(variable), library, ' '));
            break;
        }
    }
    if (const fs::path guard = descriptor_guard(); !layers.empty() && !guard.empty()) {
        preloaded = with_entry(preloaded, guard);
        settings.emplace_back("LTTNG_GPU_ATTACH_EARLY", "1");
    }
    if (preloaded != in_environment("LD_PRELOAD")) {
        settings.emplace_back("LD_PRELOAD", preloaded);
        allow_preload_with_asan(settings);
    }
    return settings;
}

bool add_device_settings(std::vector<Setting>& settings, const DeviceOptions& options)
{
    const fs::path library = find_library("liblttng-gpu-device.so");
    std::error_code error;
    if (library.empty() ||
        !fs::is_regular_file(library.parent_path() / "lttng-gpu-instrument", error)) {
        return false;
    }
    const Api& opencl = *find_api("opencl");
    const auto found = std::ranges::find(settings, opencl.loader_variable, &Setting::first);
    std::string list =
        found != settings.end() ? found->second : in_environment(opencl.loader_variable);
    // The loader calls the first one last.
    list = list.empty() ? library.string() : library.string() + ":" + list;
    if (found != settings.end()) {
        found->second = list;
    } else {
        settings.emplace_back(opencl.loader_variable, list);
    }
    settings.emplace_back("LTTNG_GPU_DEVICE_TRACE", options.kernels);
    settings.emplace_back("LTTNG_GPU_DEVICE_RUNTIME", library.string());
    settings.emplace_back("LTTNG_GPU_DEVICE_POINTS", options.points);
    if (options.has_times) {
        settings.emplace_back("LTTNG_GPU_DEVICE_TIMES", "1");
    }
    if (options.buffer_bytes) {
        settings.emplace_back("LTTNG_GPU_DEVICE_BUFFER", std::to_string(*options.buffer_bytes));
    }
    return true;
}

std::vector<Setting> times_settings(const std::vector<ApiLayer>& layers)
{
    std::vector<Setting> settings;
    for (const ApiLayer& layer : layers) {
        settings.emplace_back("LTTNG_GPU_" + upper_case(layer.api->name) + "_TIMES", "1");
    }
    return settings;
}

std::vector<Setting> tracing_settings(bool is_without_loss)
{
    std::vector<Setting> settings;
    const auto set_default = [&](const char* name, const char* value) {
        if (std::getenv(name) == nullptr) {
            settings.emplace_back(name, value);
        }
    };
    set_default("LTTNG_UST_REGISTER_TIMEOUT", "-1");
    if (is_without_loss) {
        settings.emplace_back("LTTNG_UST_ALLOW_BLOCKING", "1");
    }
    return settings;
}

} // namespace lttng_gpu::record
