// SPDX-License-Identifier: MIT
//
// Reads a file line by line in chunks, also one that cannot be mapped because the
// kernel makes it while it is read (tracefs). Memory is bounded: a line longer than
// the buffer is cut and marked.
#pragma once

#include "../../base/expected.hpp"
#include "file.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace lttng_gpu::trace::ftrace {

struct Line {
    std::string_view text; // without the line feed; good until the next call
    bool is_whole = true;  // false: no line feed came, at the end of the file or of the buffer
};

class LineReader {
public:
    explicit LineReader(File file);

    /// Nothing at the end.
    Expected<std::optional<Line>> next();

    std::uint64_t bytes_read() const { return x_bytes_read; }
    const File& file() const { return x_file; }

private:
    Expected<void> fill();

    File x_file;
    std::vector<char> x_buffer;
    std::size_t x_begin = 0;
    std::size_t x_end = 0;
    std::uint64_t x_bytes_read = 0;
    bool x_is_at_end = false;
};

} // namespace lttng_gpu::trace::ftrace
