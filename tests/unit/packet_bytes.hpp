// SPDX-License-Identifier: MIT
//
// Bytes of a CTF packet, put together bit by bit as the format says: little-endian
// numbers begin at the lowest bit of a byte, big-endian ones at the highest.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lttng_gpu::test {

class PacketBytes {
public:
    explicit PacketBytes(bool is_big = false) : m_is_big{is_big} {}

    PacketBytes& align(std::size_t bits)
    {
        while (m_bits % bits != 0) {
            put_bit(false);
        }
        return *this;
    }
    /// `bits` bits of the number, aligned.
    PacketBytes& put(std::uint64_t number, unsigned bits, std::size_t alignment = 8)
    {
        align(alignment);
        for (unsigned bit = 0; bit < bits; ++bit) {
            const unsigned which = m_is_big ? bits - 1 - bit : bit;
            put_bit((number >> which & 1U) != 0);
        }
        return *this;
    }
    PacketBytes& text(std::string_view text)
    {
        raw(text);
        return put(0, 8);
    }
    PacketBytes& raw(std::string_view bytes)
    {
        align(8);
        for (const char byte : bytes) {
            put(static_cast<unsigned char>(byte), 8);
        }
        return *this;
    }

    std::size_t bits() const { return m_bits; }
    const std::string& bytes() const { return m_bytes; }

private:
    void put_bit(bool is_set)
    {
        if (m_bits % 8 == 0) {
            m_bytes += '\0';
        }
        const auto at = static_cast<unsigned>(m_bits % 8);
        const unsigned bit = m_is_big ? 7 - at : at;
        if (is_set) {
            m_bytes.back() =
                static_cast<char>(static_cast<unsigned char>(m_bytes.back()) | 1U << bit);
        }
        ++m_bits;
    }

    bool m_is_big;
    std::size_t m_bits = 0;
    std::string m_bytes;
};

} // namespace lttng_gpu::test
