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
    : m_file{std::move(file)}, m_part{part}, m_buffer(buffer_size)
{
}

Expected<std::optional<Line>> LineReader::next()
{
    for (std::size_t searched = 0;;) {
        const char* begin = m_buffer.data() + m_begin;
        const std::size_t size = m_end - m_begin;
        const void* feed = std::memchr(begin + searched, '\n', size - searched);
        if (feed != nullptr) {
            const auto length = static_cast<std::size_t>(static_cast<const char*>(feed) - begin);
            m_begin += length + 1;
            return Line{{begin, length}, LineEnd::Feed};
        }
        if (m_is_at_end) {
            m_begin = m_end;
            return size == 0 ? std::nullopt : std::optional{Line{{begin, size}, LineEnd::File}};
        }
        if (size == m_buffer.size()) {
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
        const char* begin = m_buffer.data() + m_begin;
        const void* feed = std::memchr(begin, '\n', m_end - m_begin);
        if (feed != nullptr) {
            m_begin += static_cast<std::size_t>(static_cast<const char*>(feed) - begin) + 1;
            return {};
        }
        m_begin = m_end;
        if (m_is_at_end) {
            return {};
        }
        if (const auto filled = fill(); !filled) {
            return filled;
        }
    }
}

Expected<void> LineReader::fill()
{
    std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
    m_end -= m_begin;
    m_begin = 0;
    auto room = std::as_writable_bytes(std::span{m_buffer}.subspan(m_end));
    if (!m_part.is_all()) {
        const std::uint64_t left = m_part.end - m_part.begin - m_bytes_read;
        room = room.first(static_cast<std::size_t>(std::min<std::uint64_t>(room.size(), left)));
    }
    // What the kernel makes while it is read has no places.
    const auto got =
        m_part.is_all() ? m_file->read(room) : m_file->read_at(m_part.begin + m_bytes_read, room);
    if (!got) {
        return Failure{got.error()};
    }
    m_is_at_end = *got == 0;
    m_end += *got;
    m_bytes_read += *got;
    return {};
}

} // namespace lttng_gpu::trace::ftrace
