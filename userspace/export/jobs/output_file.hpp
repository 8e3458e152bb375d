// SPDX-License-Identifier: MIT
//
// A file that has its name only when it is complete: written under another name beside it,
// renamed at the end, removed after a failure. What exists and is no regular file (a pipe, a
// terminal) is written as it is. The first failure is remembered; writing after it does nothing.
#pragma once

#include "../../correlate/base/expected.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::exporting {

class OutputFile {
public:
    /// An empty path is standard output.
    static Expected<OutputFile> create(const std::string& place);

    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

    /// Under which it is written. Who writes there by other means does not call write().
    const std::string& path() const { return x_partial; }
    /// It can be written from the beginning only.
    bool is_stream() const { return x_is_stream; }

    /// Room for `most` bytes; commit() says where they ended. At most 64 KiB.
    char* reserve(std::size_t most)
    {
        if (x_buffer.size() - x_used < most) [[unlikely]] {
            flush();
        }
        return x_buffer.data() + x_used;
    }
    void commit(const char* end) { x_used = static_cast<std::size_t>(end - x_buffer.data()); }
    void write(std::string_view text);
    bool has_failed() const { return x_failure.has_value(); }
    void fail(std::string reason);

    /// To its place.
    Expected<void> finish();

private:
    OutputFile(std::string place, std::string partial, int descriptor, bool is_stream);

    void flush();
    void write_out(const char* begin, std::size_t size);
    void close_descriptor();

    std::string x_place;
    std::string x_partial; // empty: nothing to remove
    int x_descriptor = -1;
    bool x_is_stream = false;
    std::vector<char> x_buffer;
    std::size_t x_used = 0;
    std::optional<std::string> x_failure;
};

} // namespace lttng_gpu::exporting
