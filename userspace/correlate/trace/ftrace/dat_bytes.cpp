// SPDX-License-Identifier: MIT
//
// See dat_bytes.hpp.
#include "dat_bytes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace lttng_gpu::trace::ftrace {
namespace {

static_assert(std::endian::native == std::endian::little, "to_number() turns the others round");

constexpr std::size_t longest_word = 4096;

} // namespace

std::uint64_t to_number(std::span<const std::byte> bytes, bool is_big_endian)
{
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
    if (is_big_endian) {
        const std::size_t unused = 8 * (sizeof(value) - bytes.size());
        value = unused < 64 ? __builtin_bswap64(value) >> unused : 0;
    }
    return value;
}

DatBytes::DatBytes(const File& file, std::uint64_t offset, std::uint64_t end)
    : m_file{&file}, m_position{offset}, m_end{std::min(end, file.size())}
{
    m_is_good = m_position <= m_end;
    m_position = std::min(m_position, m_end);
}

DatBytes::DatBytes(std::string_view memory) : m_memory{memory}, m_end{memory.size()} {}

bool DatBytes::read(std::span<std::byte> into)
{
    if (!m_is_good || into.size() > left()) {
        m_is_good = false;
        return false;
    }
    if (m_file == nullptr) {
        std::memcpy(into.data(), m_memory.data() + m_position, into.size());
    } else if (m_file->read_at(m_position, into).value_or(0) != into.size()) {
        m_is_good = false;
        return false;
    }
    m_position += into.size();
    return true;
}

std::uint64_t DatBytes::number(std::size_t bytes)
{
    std::array<std::byte, 8> buffer{};
    const std::span<std::byte> part = std::span{buffer}.first(bytes);
    return read(part) ? to_number(part, m_is_big_endian) : 0;
}

std::string DatBytes::word()
{
    std::string text;
    for (;;) {
        const auto character = static_cast<char>(number(1));
        if (!m_is_good || text.size() > longest_word) {
            m_is_good = false;
            return {};
        }
        if (character == '\0') {
            return text;
        }
        text.push_back(character);
    }
}

std::string DatBytes::block(std::uint64_t size)
{
    if (size > left() || size > largest_block) {
        m_is_good = false;
        return {};
    }
    std::string text(size, '\0');
    return read(std::as_writable_bytes(std::span{text})) ? text : std::string{};
}

void DatBytes::skip(std::uint64_t size)
{
    m_is_good = m_is_good && size <= left();
    m_position += m_is_good ? size : 0;
}

} // namespace lttng_gpu::trace::ftrace
