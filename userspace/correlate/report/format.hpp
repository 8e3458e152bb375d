// SPDX-License-Identifier: MIT
//
// The forms in which results are written.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lttng_gpu::report {

enum class Format : std::uint8_t { Text, Json, Csv };

inline std::optional<Format> format_named(std::string_view name)
{
    if (name == "text") {
        return Format::Text;
    }
    if (name == "json") {
        return Format::Json;
    }
    return name == "csv" ? std::optional{Format::Csv} : std::nullopt;
}

} // namespace lttng_gpu::report
