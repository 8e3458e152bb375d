// SPDX-License-Identifier: MIT
//
// Tells by the first bytes of a file which ftrace reader it is for.
#pragma once

#include "../../base/expected.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace lttng_gpu::trace::ftrace {

enum class FtraceKind : std::uint8_t {
    None, // not of ftrace
    Text,
    TraceDat,
    Perfetto,
};

/// As much of a file as tells its form. Only of a regular file.
Expected<std::string> read_head(const std::filesystem::path& path);

FtraceKind kind_of(std::string_view head);

/// An error only when the file cannot be read at all.
Expected<FtraceKind> detect(const std::filesystem::path& path);

} // namespace lttng_gpu::trace::ftrace
