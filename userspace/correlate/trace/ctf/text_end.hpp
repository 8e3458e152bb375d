// SPDX-License-Identifier: MIT
//
// Where texts end: the first byte that is zero, looked for in steps of as many bytes as
// one comparison takes. Texts in events are short: a call of memchr() costs more.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lttng_gpu::trace::ctf {

template <typename Number> Number load_little(const std::uint8_t* bytes)
{
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    if constexpr (std::endian::native == std::endian::big) {
        auto* begin = reinterpret_cast<unsigned char*>(&number);
        std::reverse(begin, begin + sizeof number);
    }
    return number;
}

#if defined(__SSE2__) // every processor of x86-64

/// Bytes that one look for a zero loads, wherever it begins.
constexpr std::ptrdiff_t text_step = 16;

/// Where zeros are in these bytes, in a form for first_zero(); 0 when there is none.
inline std::uint32_t zeros_at(const std::uint8_t* at)
{
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, __m128i{})));
}

inline std::size_t first_zero(std::uint32_t zeros)
{
    return static_cast<std::size_t>(std::countr_zero(std::uint64_t{zeros}));
}

#else

constexpr std::ptrdiff_t text_step = 8;

inline std::uint64_t zeros_at(const std::uint8_t* at)
{
    constexpr std::uint64_t ones = 0x0101010101010101;
    constexpr std::uint64_t tops = 0x8080808080808080;
    // The highest bit of the first byte that is zero is the lowest one set.
    const auto eight = load_little<std::uint64_t>(at);
    return (eight - ones) & ~eight & tops;
}

inline std::size_t first_zero(std::uint64_t zeros)
{
    return static_cast<std::size_t>(std::countr_zero(zeros)) / 8;
}

#endif

/// The first zero byte, or null. Loads nothing from `end` on.
inline const std::uint8_t* find_zero(const std::uint8_t* at, const std::uint8_t* end)
{
    for (; end - at >= text_step; at += text_step) {
        if (const auto zeros = zeros_at(at); zeros != 0) {
            return at + first_zero(zeros);
        }
    }
    while (at != end && *at != 0) {
        ++at;
    }
    return at == end ? nullptr : at;
}

/// Behind a text whose end is found by steps, the last of them at `last`; null when
/// that does not suffice.
inline const std::uint8_t* behind_string(const std::uint8_t* at, const std::uint8_t* last)
{
    for (; at <= last; at += text_step) {
        if (const auto zeros = zeros_at(at); zeros != 0) [[likely]] {
            return at + first_zero(zeros) + 1;
        }
    }
    return nullptr;
}

/// The same where such steps have found the end before.
inline const std::uint8_t* behind_string(const std::uint8_t* at)
{
    for (;; at += text_step) {
        if (const auto zeros = zeros_at(at); zeros != 0) [[likely]] {
            return at + first_zero(zeros) + 1;
        }
    }
}

/// The text before the first zero of `length` bytes. A step may begin at each of them.
inline std::string_view text_at(const std::uint8_t* begin, std::uint32_t length)
{
    std::uint32_t at = 0;
    for (; at < length; at += text_step) {
        if (const auto zeros = zeros_at(begin + at); zeros != 0) [[likely]] {
            at += static_cast<std::uint32_t>(first_zero(zeros));
            break;
        }
    }
    return {reinterpret_cast<const char*>(begin), std::min(at, length)};
}

} // namespace lttng_gpu::trace::ctf
