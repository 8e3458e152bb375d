// SPDX-License-Identifier: MIT
//
// The file of an export to another program: report::PartialFile with a buffer that is filled in
// place.
#pragma once

#include "../../correlate/report/partial_file.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lttng_gpu::exporting {

class OutputFile {
public:
    /// For `has_path` it has one from the beginning; who writes there does not call write().
    static Expected<OutputFile> create(const report::OutputPlace& place, bool has_path = false);

    const std::string& path() const { return m_file.path(); }
    /// It can be written from the beginning only.
    bool is_stream() const { return m_file.is_stream(); }

    /// Room for `most` bytes; commit() says where they ended. At most 64 KiB.
    char* reserve(std::size_t most)
    {
        if (m_buffer.size() - m_used < most) [[unlikely]] {
            flush();
        }
        return m_buffer.data() + m_used;
    }
    void commit(const char* end) { m_used = static_cast<std::size_t>(end - m_buffer.data()); }
    void write(std::string_view text);
    bool has_failed() const { return m_file.has_failed(); }
    void fail(std::string reason) { m_file.fail(std::move(reason)); }

    /// To its place.
    Expected<void> finish();

private:
    explicit OutputFile(report::PartialFile file);

    void flush();

    report::PartialFile m_file;
    std::vector<char> m_buffer;
    std::size_t m_used = 0;
};

} // namespace lttng_gpu::exporting
