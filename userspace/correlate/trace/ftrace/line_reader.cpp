// SPDX-License-Identifier: MIT
//
// See line_reader.hpp.
#include "line_reader.hpp"

#include <cstring>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::size_t buffer_size = std::size_t{64} << 10;

} // namespace

LineReader::LineReader(File file) : x_file{std::move(file)}, x_buffer(buffer_size) {}

Expected<std::optional<Line>> LineReader::next()
{
    for (std::size_t searched = 0;;) {
        const char* begin = x_buffer.data() + x_begin;
        const std::size_t size = x_end - x_begin;
        const void* feed = std::memchr(begin + searched, '\n', size - searched);
        if (feed != nullptr) {
            const auto length = static_cast<std::size_t>(static_cast<const char*>(feed) - begin);
            x_begin += length + 1;
            return Line{{begin, length}, true};
        }
        if (x_is_at_end || size == x_buffer.size()) {
            x_begin = x_end;
            return size == 0 ? std::nullopt : std::optional{Line{{begin, size}, false}};
        }
        searched = size;
        if (const auto filled = fill(); !filled) {
            return Failure{filled.error()};
        }
    }
}

Expected<void> LineReader::fill()
{
    std::memmove(x_buffer.data(), x_buffer.data() + x_begin, x_end - x_begin);
    x_end -= x_begin;
    x_begin = 0;
    const auto got = x_file.read(std::as_writable_bytes(std::span{x_buffer}.subspan(x_end)));
    if (!got) {
        return Failure{got.error()};
    }
    x_is_at_end = *got == 0;
    x_end += *got;
    x_bytes_read += *got;
    return {};
}

} // namespace lttng_gpu::trace::ftrace
