// SPDX-License-Identifier: MIT
//
// Tells by the first bytes of a file which ftrace reader it is for.
#pragma once

#include "../../base/expected.hpp"

#include <filesystem>

namespace lttng_gpu::trace::ftrace {

enum class FtraceKind : std::uint8_t {
    None, // not of ftrace
    Text,
    TraceDat,
    Perfetto,
};

/// An error only when the file cannot be read at all.
Expected<FtraceKind> detect(const std::filesystem::path& path);

} // namespace lttng_gpu::trace::ftrace
