// SPDX-License-Identifier: MIT
//
// See line_reader.hpp.
#include "line_reader.hpp"

#include <algorithm>
#include <cstring>

namespace lttng_gpu::trace::ftrace {
namespace {

constexpr std::size_t buffer_size = std::size_t{64} << 10;

} // namespace

LineReader::LineReader(std::shared_ptr<File> file, FilePart part)
    : x_file{std::move(file)}, x_part{part}, x_buffer(buffer_size)
{
}

Expected<std::optional<Line>> LineReader::next()
{
    for (std::size_t searched = 0;;) {
        const char* begin = x_buffer.data() + x_begin;
        const std::size_t size = x_end - x_begin;
        const void* feed = std::memchr(begin + searched, '\n', size - searched);
        if (feed != nullptr) {
            const auto length = static_cast<std::size_t>(static_cast<const char*>(feed) - begin);
            x_begin += length + 1;
            return Line{{begin, length}, LineEnd::Feed};
        }
        if (x_is_at_end) {
            x_begin = x_end;
            return size == 0 ? std::nullopt : std::optional{Line{{begin, size}, LineEnd::File}};
        }
        if (size == x_buffer.size()) {
            if (const auto skipped = skip_line(); !skipped) {
                return Failure{skipped.error()};
            }
            return Line{{}, LineEnd::TooLong};
        }
        searched = size;
        if (const auto filled = fill(); !filled) {
            return Failure{filled.error()};
        }
    }
}

/// Its end must not be taken for a line.
Expected<void> LineReader::skip_line()
{
    for (;;) {
        const char* begin = x_buffer.data() + x_begin;
        const void* feed = std::memchr(begin, '\n', x_end - x_begin);
        if (feed != nullptr) {
            x_begin += static_cast<std::size_t>(static_cast<const char*>(feed) - begin) + 1;
            return {};
        }
        x_begin = x_end;
        if (x_is_at_end) {
            return {};
        }
        if (const auto filled = fill(); !filled) {
            return filled;
        }
    }
}

Expected<void> LineReader::fill()
{
    std::memmove(x_buffer.data(), x_buffer.data() + x_begin, x_end - x_begin);
    x_end -= x_begin;
    x_begin = 0;
    auto room = std::as_writable_bytes(std::span{x_buffer}.subspan(x_end));
    if (!x_part.is_all()) {
        const std::uint64_t left = x_part.end - x_part.begin - x_bytes_read;
        room = room.first(static_cast<std::size_t>(std::min<std::uint64_t>(room.size(), left)));
    }
    // What the kernel makes while it is read has no places.
    const auto got =
        x_part.is_all() ? x_file->read(room) : x_file->read_at(x_part.begin + x_bytes_read, room);
    if (!got) {
        return Failure{got.error()};
    }
    x_is_at_end = *got == 0;
    x_end += *got;
    x_bytes_read += *got;
    return {};
}

} // namespace lttng_gpu::trace::ftrace
