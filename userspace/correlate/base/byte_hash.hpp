// SPDX-License-Identifier: MIT
//
// A hash of short texts, eight bytes at a time.
#pragma once

#include "ids.hpp"

#include <cstring>
#include <string_view>

namespace lttng_gpu::model {

/// Reads whole words only, the last one over the one before it: copying a few
/// bytes to fill up a word costs more than all the rest.
inline std::uint64_t hash_bytes(std::uint64_t seed, std::string_view bytes)
{
    const auto word_at = [&](std::size_t at) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        return word;
    };
    const auto half_at = [&](std::size_t at) {
        std::uint32_t half = 0;
        std::memcpy(&half, bytes.data() + at, sizeof half);
        return half;
    };
    const std::size_t size = bytes.size();
    std::uint64_t hash = mix_hash(seed, size);
    if (size >= 8) {
        for (std::size_t at = 0; at + 8 < size; at += 8) {
            hash = mix_hash(hash, word_at(at));
        }
        return mix_hash(hash, word_at(size - 8));
    }
    if (size >= 4) {
        return mix_hash(hash, std::uint64_t{half_at(0)} << 32U | half_at(size - 4));
    }
    for (const char byte : bytes) {
        hash = mix_hash(hash, static_cast<unsigned char>(byte));
    }
    return hash;
}

} // namespace lttng_gpu::model
