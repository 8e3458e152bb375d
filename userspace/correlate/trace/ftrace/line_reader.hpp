// SPDX-License-Identifier: MIT
//
// Reads a file line by line in chunks, also one that cannot be mapped because the
// kernel makes it while it is read (tracefs). Memory is bounded: of a line longer than
// the buffer nothing is given but that it is there.
#pragma once

#include "../../base/expected.hpp"
#include "file.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace lttng_gpu::trace::ftrace {

enum class LineEnd : std::uint8_t {
    Feed,
    File,    // no line feed came
    TooLong, // without text
};

struct Line {
    std::string_view text; // without the line feed; good until the next call
    LineEnd end = LineEnd::Feed;
};

/// A part of a file that begins and ends with a line.
struct FilePart {
    std::uint64_t begin = 0;
    std::uint64_t end = UINT64_MAX;

    bool is_all() const { return begin == 0 && end == UINT64_MAX; }
};

class LineReader {
public:
    explicit LineReader(std::shared_ptr<File> file, FilePart part = {});

    /// Nothing at the end.
    Expected<std::optional<Line>> next();

    std::uint64_t bytes_read() const { return m_bytes_read; }
    /// Where in the file the next line begins.
    std::uint64_t offset() const { return m_part.begin + m_bytes_read - (m_end - m_begin); }

private:
    Expected<void> fill();
    Expected<void> skip_line();

    std::shared_ptr<File> m_file;
    FilePart m_part;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    std::uint64_t m_bytes_read = 0;
    bool m_is_at_end = false;
};

} // namespace lttng_gpu::trace::ftrace
