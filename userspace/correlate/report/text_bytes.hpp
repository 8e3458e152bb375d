// SPDX-License-Identifier: MIT
//
// Text that is written where it ends up: no string that grows, no locale. Who makes it has made
// sure that there is room.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace lttng_gpu::report {

class TextBytes {
public:
    /// Of any number, with its sign.
    static constexpr std::size_t most_digits = 20;

    explicit TextBytes(char* at) : m_at{at} {}

    char* end() const { return m_at; }

    /// Its size is known to the compiler, which copies it without a call.
    template <std::size_t size> void literal(const char (&text)[size])
    {
        std::memcpy(m_at, text, size - 1);
        m_at += size - 1;
    }
    void text(std::string_view text)
    {
        std::memcpy(m_at, text.data(), text.size());
        m_at += text.size();
    }
    void character(char one) { *m_at++ = one; }
    template <typename Number> void number(Number value)
    {
        m_at = std::to_chars(m_at, m_at + most_digits, value).ptr;
    }
    void hexadecimal(std::uint64_t value)
    {
        m_at = std::to_chars(m_at, m_at + most_digits, value, 16).ptr;
    }
    /// Of nanoseconds, with three decimals.
    void microseconds(std::int64_t nanoseconds)
    {
        constexpr std::uint64_t in_one = 1000;
        auto size = static_cast<std::uint64_t>(nanoseconds);
        if (nanoseconds < 0) {
            character('-');
            size = 0 - size;
        }
        number(size / in_one);
        const auto rest = static_cast<unsigned>(size % in_one);
        m_at[0] = '.';
        m_at[1] = static_cast<char>('0' + rest / 100);
        m_at[2] = static_cast<char>('0' + rest / 10 % 10);
        m_at[3] = static_cast<char>('0' + rest % 10);
        m_at += 4;
    }

private:
    char* m_at;
};

} // namespace lttng_gpu::report
