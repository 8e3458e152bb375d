// SPDX-License-Identifier: MIT
//
// Where results go: a file or standard output, written in large pieces. The
// first failure is remembered and told at the end; writing after it does
// nothing, so that sinks need not check each line.
#pragma once

#include "../base/expected.hpp"

#include <cstdio>
#include <optional>
#include <string_view>

namespace lttng_gpu::report {

class Output {
public:
    /// An empty path is standard output.
    static Expected<Output> open(const std::string& path);
    /// Messages call it `name`.
    static Expected<Output> open(const std::string& path, std::string name);

    Output(Output&& other) noexcept;
    Output& operator=(Output&&) = delete;
    ~Output();

    void write(std::string_view text);
    /// From now on what is written becomes ASCII; for texts only.
    void write_ascii() { x_is_ascii = true; }
    /// For readers that follow the output: all output is written when this returns.
    void flush();
    /// Empties the buffer and tells whether all that was written arrived.
    Expected<void> finish();
    bool has_failed() const { return x_failure.has_value(); }

private:
    Output(std::FILE* file, std::string name) : x_file{file}, x_name{std::move(name)} {}

    void flush_buffer();
    void fail();

    std::FILE* x_file;
    std::string x_name;
    std::string x_buffer;
    std::optional<std::string> x_failure;
    bool x_is_ascii = false;
};

} // namespace lttng_gpu::report
