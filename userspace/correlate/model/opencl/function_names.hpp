// SPDX-License-Identifier: MIT
//
// Names for the numbers in OpenCL events. Functions are numbered by their place in
// the dispatch table of the API, which is an ABI between loader and drivers and
// only grows; commands by the API's CL_COMMAND_*.
#pragma once

#include <cstdint>
#include <string_view>

namespace lttng_gpu::model {

/// Empty when unknown.
std::string_view opencl_function_name(std::uint64_t number);
/// The function that enqueues commands of the type; empty when unknown.
std::string_view opencl_enqueue_name(std::uint64_t command_type);
/// The function does nothing but wait until commands are complete.
bool is_opencl_wait(std::uint64_t function);

inline constexpr std::uint64_t user_command = 0x1204; // CL_COMMAND_USER

} // namespace lttng_gpu::model
