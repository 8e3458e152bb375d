// SPDX-License-Identifier: MIT
//
// The list of APIs (userspace/apis.def) for C++.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lttng_gpu {

/// How an API's layer comes into a program.
enum class LayerLoading : std::uint8_t {
    Libraries, // the loader's variable lists libraries, separated by colons
    Preload,   // LD_PRELOAD: the API has no loader that knows of layers
    Manifests, // the loader looks for share/.../NAME.json in the folders of its variable
    Tools,     // the runtime's variable lists libraries, separated by spaces
};

struct Api {
    std::string_view name;  // of its files, and the driver of its queues in reports
    std::string_view title; // as its users write it
    LayerLoading loading;
    const char* loader_variable;

    std::string provider() const { return "lttng_gpu_" + std::string{name}; }
    std::string layer() const { return "liblttng-gpu-" + std::string{name} + ".so"; }
};

inline constexpr std::array apis{
#define LTTNG_GPU_API(name, title, loading, loader_variable)                                       \
    Api{#name, title, LayerLoading::loading, loader_variable},
#include "../../apis.def"
#undef LTTNG_GPU_API
};

/// Null: there is no API of that name.
constexpr const Api* find_api(std::string_view name)
{
    const auto* const found = std::ranges::find(apis, name, &Api::name);
    return found == apis.end() ? nullptr : found;
}

/// Whether the event is one of that API's layer ("lttng_gpu_opencl:call").
inline bool is_event_of(const Api& api, std::string_view event)
{
    return event.starts_with(api.provider() + ":");
}

} // namespace lttng_gpu
