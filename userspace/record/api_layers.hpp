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

/// The OpenCL layer next to this program (a build folder) or in the lib of its prefix;
/// empty: not found.
std::filesystem::path find_opencl_layer();

/// Existing entries stay: the layer becomes the last one of $OPENCL_LAYERS, which
/// the loader calls first.
std::vector<Setting> layer_settings(const std::filesystem::path& opencl_layer, bool has_preload);

/// An application waits for its registration before its first event. With --no-loss it also
/// waits when a buffer is full. A variable that is already set is not changed.
std::vector<Setting> tracing_settings(bool is_without_loss);

} // namespace lttng_gpu::record
