// SPDX-License-Identifier: MIT
//
// Where texts go: a file or standard output, written in large pieces. The
// first failure is remembered and told at the end; writing after it does
// nothing, so that sinks need not check each line.
#pragma once

#include "partial_file.hpp"

#include <string>
#include <string_view>

namespace lttng_gpu::report {

class Output {
public:
    static Expected<Output> open(const OutputPlace& place);

    void write(std::string_view text);
    /// From now on what is written becomes ASCII; for texts only.
    void write_ascii() { m_is_ascii = true; }
    /// For readers that follow the output: all output is written when this returns.
    void flush();
    /// Empties the buffer and tells whether all that was written arrived. A file has its name
    /// after this, and without this it is gone.
    Expected<void> finish();
    bool has_failed() const { return m_file.has_failed(); }

private:
    explicit Output(PartialFile file) : m_file{std::move(file)} {}

    PartialFile m_file;
    std::string m_buffer;
    bool m_is_ascii = false;
};

} // namespace lttng_gpu::report
