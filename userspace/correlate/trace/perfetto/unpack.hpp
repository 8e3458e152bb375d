// SPDX-License-Identifier: MIT
//
// Unpacks packets that Perfetto has packed together. The file does not say how large the
// result is, so it grows up to a limit.
#pragma once

#include "wire_reader.hpp"

#include <optional>
#include <vector>

namespace lttng_gpu::trace::perfetto {

enum class Packing : std::uint8_t { None, Deflate, Zstd };

struct Unpacked {
    std::vector<std::uint8_t> bytes;
    bool is_whole = false; // else the packed bytes end too early
};

/// Nothing when the bytes are damaged or the result would be too large.
std::optional<Unpacked> unpack(Packing packing, Bytes packed);

} // namespace lttng_gpu::trace::perfetto
