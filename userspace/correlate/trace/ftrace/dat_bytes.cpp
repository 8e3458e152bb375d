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
    : x_file{&file}, x_position{offset}, x_end{std::min(end, file.size())}
{
    x_is_good = x_position <= x_end;
    x_position = std::min(x_position, x_end);
}

DatBytes::DatBytes(std::string_view memory) : x_memory{memory}, x_end{memory.size()} {}

bool DatBytes::read(std::span<std::byte> into)
{
    if (!x_is_good || into.size() > left()) {
        x_is_good = false;
        return false;
    }
    if (x_file == nullptr) {
        std::memcpy(into.data(), x_memory.data() + x_position, into.size());
    } else if (x_file->read_at(x_position, into).value_or(0) != into.size()) {
        x_is_good = false;
        return false;
    }
    x_position += into.size();
    return true;
}

std::uint64_t DatBytes::number(std::size_t bytes)
{
    std::array<std::byte, 8> buffer{};
    const std::span<std::byte> part = std::span{buffer}.first(bytes);
    return read(part) ? to_number(part, x_is_big_endian) : 0;
}

std::string DatBytes::word()
{
    std::string text;
    for (;;) {
        const auto character = static_cast<char>(number(1));
        if (!x_is_good || text.size() > longest_word) {
            x_is_good = false;
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
        x_is_good = false;
        return {};
    }
    std::string text(size, '\0');
    return read(std::as_writable_bytes(std::span{text})) ? text : std::string{};
}

void DatBytes::skip(std::uint64_t size)
{
    x_is_good = x_is_good && size <= left();
    x_position += x_is_good ? size : 0;
}

} // namespace lttng_gpu::trace::ftrace
