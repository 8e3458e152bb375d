// SPDX-License-Identifier: MIT
//
// See api_layers.hpp.
#include "api_layers.hpp"

#include <array>
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

constexpr const char* layer_name = "liblttng-gpu-opencl.so";
/// Where `make install` puts it, below the folder of libraries.
constexpr const char* installed_name = "lttng-gpu/liblttng-gpu-opencl.so";

std::string in_environment(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// The value with one more entry, unless a library of that file name is in it.
std::string with_entry(const std::string& list, const fs::path& library)
{
    if (list.find(library.filename().string()) != std::string::npos) {
        return list;
    }
    return list.empty() ? library.string() : list + ":" + library.string();
}

} // namespace

fs::path find_opencl_layer()
{
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path folder = program.parent_path();
    // A folder for each architecture in Debian's packages.
    const std::array<fs::path, 5> candidates{
        folder / layer_name, folder / "../lib" / installed_name,
        folder / "../lib" / LTTNG_GPU_MULTIARCH / installed_name,
        folder / "../lib64" / installed_name, fs::path{LTTNG_GPU_LIBDIR} / installed_name};
    for (const fs::path& candidate : candidates) {
        if (fs::is_regular_file(candidate, error)) {
            return fs::canonical(candidate, error);
        }
    }
    return {};
}

std::vector<Setting> layer_settings(const fs::path& opencl_layer, bool has_preload)
{
    if (opencl_layer.empty()) {
        return {};
    }
    std::vector<Setting> settings{
        {"OPENCL_LAYERS", with_entry(in_environment("OPENCL_LAYERS"), opencl_layer)}};
    if (has_preload) {
        settings.emplace_back("LD_PRELOAD", with_entry(in_environment("LD_PRELOAD"), opencl_layer));
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
