// SPDX-License-Identifier: MIT
//
// How data is packed for the page: columns of variable-length numbers, small differences where
// values follow each other, then deflate. userspace/page/src/packed.js unpacks it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lttng_gpu::view {

/// One column of numbers.
class Packed {
public:
    void add_byte(std::uint8_t byte) { m_bytes += static_cast<char>(byte); }
    /// Seven bits in each byte, the lowest first.
    void add(std::uint64_t number)
    {
        for (; number >= 0x80; number >>= 7U) {
            add_byte(static_cast<std::uint8_t>(number | 0x80U));
        }
        add_byte(static_cast<std::uint8_t>(number));
    }
    /// The sign is the lowest bit.
    void add_signed(std::int64_t number)
    {
        add((static_cast<std::uint64_t>(number) << 1U) ^ static_cast<std::uint64_t>(number >> 63U));
    }
    void append(const Packed& other)
    {
        add(other.m_bytes.size());
        m_bytes += other.m_bytes;
    }
    void clear() { m_bytes.clear(); }
    std::string_view bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

/// In zlib's format.
std::string deflated(std::string_view bytes);
std::string base64(std::string_view bytes);

} // namespace lttng_gpu::view
