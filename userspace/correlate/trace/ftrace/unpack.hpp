// SPDX-License-Identifier: MIT
//
// Unpacks a block of a compressed trace.dat file. The size that the file claims is
// only believed up to a limit, and the result must have it exactly.
#pragma once

#include "../../base/expected.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace lttng_gpu::trace::ftrace {

enum class Packing : std::uint8_t { None, Zlib, Zstd };

/// Nothing for a name that is not known.
std::optional<Packing> find_packing(std::string_view name);

Expected<std::string> unpack(Packing packing, std::string_view packed, std::uint64_t size,
                             std::uint64_t limit);

} // namespace lttng_gpu::trace::ftrace
