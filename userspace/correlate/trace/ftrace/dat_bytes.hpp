// SPDX-License-Identifier: MIT
//
// Reads the numbers and texts of a trace.dat file one after the other, from the file
// or from a section that was unpacked into memory. After the first thing that does not
// fit everything reads as zero and `is_good` says so: lengths are never trusted.
#pragma once

#include "file.hpp"

#include <string>
#include <string_view>

namespace lttng_gpu::trace::ftrace {

/// An unsigned number of 1 to 8 bytes.
std::uint64_t to_number(std::span<const std::byte> bytes, bool is_big_endian);

/// No text and no section of a file is larger than this, packed or not; the symbols of
/// a kernel, the largest part, are never read.
constexpr std::uint64_t largest_block = std::uint64_t{16} << 20;

class DatBytes {
public:
    /// The bytes of the file from `offset` up to `end`.
    DatBytes(const File& file, std::uint64_t offset, std::uint64_t end);
    explicit DatBytes(std::string_view memory);

    void set_big_endian(bool is_big_endian) { m_is_big_endian = is_big_endian; }
    bool is_big_endian() const { return m_is_big_endian; }

    bool is_good() const { return m_is_good; }
    std::uint64_t position() const { return m_position; }
    std::uint64_t left() const { return m_end - m_position; }

    std::uint64_t number(std::size_t bytes);
    /// Up to and with a zero byte, at most some thousand.
    std::string word();
    std::string block(std::uint64_t size);
    void skip(std::uint64_t size);
    void fail() { m_is_good = false; }

private:
    bool read(std::span<std::byte> into);

    const File* m_file = nullptr;
    std::string_view m_memory;
    std::uint64_t m_position = 0;
    std::uint64_t m_end = 0;
    bool m_is_big_endian = false;
    bool m_is_good = true;
};

} // namespace lttng_gpu::trace::ftrace
