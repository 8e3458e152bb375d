// SPDX-License-Identifier: MIT
//
// The environment in which the recorded command finds our API layers.
#pragma once

#include "../correlate/base/apis.hpp"
#include "record_options.hpp"

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

/// Each API's layer beside this program (a build folder) or in the lib of its prefix; those that
/// are not there are left out.
std::vector<ApiLayer> find_layers();

/// What is in the environment stays: a layer becomes the last of its loader's variable, whose
/// last one the loader calls first. Programs that close all descriptors, as daemons do, must not
/// close LTTng's: our library for that is preloaded where LTTng-UST is installed.
std::vector<Setting> layer_settings(const std::vector<ApiLayer>& layers, bool has_preload);

/// What makes the layer for kernels' insides stand next to the driver, and tells it what to record;
/// `settings` are those of the other layers. False: the layer or its instrumenter is not there.
bool add_device_settings(std::vector<Setting>& settings, const DeviceOptions& options);

/// What asks the layers for the times of the GPU, which change what the program gives to it.
std::vector<Setting> times_settings(const std::vector<ApiLayer>& layers);

/// An application waits for its registration before its first event. With --no-loss it also
/// waits when a buffer is full. A variable that is already set is not changed.
std::vector<Setting> tracing_settings(bool is_without_loss);

} // namespace lttng_gpu::record
