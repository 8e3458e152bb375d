// SPDX-License-Identifier: MIT
//
// The formats that captures come in. Each writer writes what is left of a recording,
// and announces gaps as its tracer does. A new format is one function and one line in
// writers().
#pragma once

#include "capture.hpp"

#include <span>

namespace lttng_gpu::captures {

struct Writer {
    std::string_view format;
    /// Of the file or folder.
    std::string_view file_name;
    bool tells_microseconds;
    bool is_text;
    void (*write)(const Capture& capture, const std::filesystem::path& path);
};

std::span<const Writer> writers();
/// Throws std::runtime_error when there is no such format.
const Writer& find_writer(std::string_view format);

void write_ctf_capture(const Capture& capture, const std::filesystem::path& path);
void write_trace_file(const Capture& capture, const std::filesystem::path& path);
void write_trace_cmd_report(const Capture& capture, const std::filesystem::path& path);
void write_perf_script(const Capture& capture, const std::filesystem::path& path);
void write_trace_dat(const Capture& capture, const std::filesystem::path& path);

} // namespace lttng_gpu::captures
