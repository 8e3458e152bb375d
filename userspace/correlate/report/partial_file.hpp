// SPDX-License-Identifier: MIT
//
// A file that has its name only when it is complete: what was there before stays until then, and
// stays after a failure. It is written without a name where the file system can do that (a killed
// program leaves nothing), else under another name beside its own. What exists and is no regular
// file (a pipe, a terminal) is written as it is. The first failure is remembered; writing after it
// does nothing.
#pragma once

#include "output_place.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace lttng_gpu::report {

class PartialFile {
public:
    /// For `has_path` it has a name from the beginning, for who writes there by other means.
    static Expected<PartialFile> create(const OutputPlace& place, bool has_path = false);

    PartialFile(PartialFile&& other) noexcept;
    PartialFile& operator=(PartialFile&&) = delete;
    ~PartialFile();

    /// Under which it is written; empty when it has no name.
    const std::string& path() const { return m_partial; }
    /// It can be written from the beginning only.
    bool is_stream() const { return m_place.is_stream(); }
    void write(std::string_view bytes);
    bool has_failed() const { return m_failure.has_value(); }
    void fail(std::string reason);

    /// To its place.
    Expected<void> finish();

private:
    PartialFile(OutputPlace place, int descriptor);

    static Expected<PartialFile> create_file(const OutputPlace& place, bool has_path);
    bool open_unnamed(unsigned mode);
    bool open_named(unsigned mode);
    void give_name();
    void close_descriptor();

    OutputPlace m_place;
    std::string m_partial; // empty: nothing to remove
    int m_descriptor;
    std::optional<std::string> m_failure;
};

} // namespace lttng_gpu::report
