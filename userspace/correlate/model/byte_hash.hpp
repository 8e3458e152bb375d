// SPDX-License-Identifier: MIT
//
// A hash of short texts, eight bytes at a time.
#pragma once

#include "../base/ids.hpp"

#include <cstring>
#include <string_view>

namespace lttng_gpu::model {

inline std::uint64_t hash_bytes(std::uint64_t seed, std::string_view bytes)
{
    std::uint64_t hash = mix_hash(seed, bytes.size());
    while (bytes.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        hash = mix_hash(hash, word);
        bytes.remove_prefix(8);
    }
    if (!bytes.empty()) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), bytes.size());
        hash = mix_hash(hash, word);
    }
    return hash;
}

} // namespace lttng_gpu::model
