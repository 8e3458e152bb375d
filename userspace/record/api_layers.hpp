// SPDX-License-Identifier: MIT
//
// The environment in which the recorded command finds our API layers.
#pragma once

#include "../correlate/base/apis.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace lttng_gpu::record {

/// Name and value, to be set for the command.
using Setting = std::pair<std::string, std::string>;

struct ApiLayer {
    const Api* api = nullptr;
    std::filesystem::path library;
};

std::string layer_file_name(const Api& api);

/// Each API's layer beside this program (a build folder) or in the lib of its prefix; those that
/// are not there are left out.
std::vector<ApiLayer> find_layers();

/// What is in the environment stays: a layer becomes the last of its loader's variable, whose
/// last one the loader calls first.
std::vector<Setting> layer_settings(const std::vector<ApiLayer>& layers, bool has_preload);

/// So that an application's first event is not before its registration, and so that it waits
/// for room in the buffers when nothing may be lost. A value that is set already stays.
std::vector<Setting> tracing_settings(bool is_without_loss);

} // namespace lttng_gpu::record
