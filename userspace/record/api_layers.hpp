// SPDX-License-Identifier: MIT
//
// The environment in which the recorded command finds our API layers.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace lttng_gpu::record {

/// Name and value, to be set for the command.
using Setting = std::pair<std::string, std::string>;

/// The OpenCL layer beside this program (a build folder) or in the lib of its prefix;
/// empty: not there.
std::filesystem::path find_opencl_layer();

/// What is in the environment stays: the layer becomes the last of $OPENCL_LAYERS, which
/// the loader calls first.
std::vector<Setting> layer_settings(const std::filesystem::path& opencl_layer, bool has_preload);

/// So that an application's first event is not before its registration, and so that it waits
/// for room in the buffers when nothing may be lost. A value that is set already stays.
std::vector<Setting> tracing_settings(bool is_without_loss);

} // namespace lttng_gpu::record
