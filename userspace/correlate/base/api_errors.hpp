// SPDX-License-Identifier: MIT
//
// Names of what calls of APIs return when they fail.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lttng_gpu {

/// "CL_OUT_OF_RESOURCES (-5)"; the number alone if the name is not known. `call`: its function,
/// which tells the API.
std::string error_text(std::string_view call, std::int32_t error);

} // namespace lttng_gpu
