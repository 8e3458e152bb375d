// SPDX-License-Identifier: MIT
//
// Where a command writes. Made before anything is opened for writing, and every output asks for
// one, so that none of them can destroy what was recorded: neither what the command reads nor
// any other recording.
#pragma once

#include "../base/expected.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace lttng_gpu::report {

enum class OutputKind : std::uint8_t {
    Text,
    Page,   // HTML; it replaces nothing but HTML
    Binary, // nothing for a terminal
    Folder,
};

class OutputPlace {
public:
    /// An empty path is standard output. An error when the place is an input, or lies in one, or
    /// holds a recording. Inputs are as the command line names them; those that do not exist, and
    /// sessions that are being recorded, are passed over.
    static Expected<OutputPlace> check(const std::string& path, OutputKind kind,
                                       std::span<const std::filesystem::path> inputs);

    OutputKind kind() const { return m_kind; }
    bool is_standard_output() const { return m_path.empty(); }
    /// A descriptor of this process, as /dev/stdout and /dev/fd/3 name one; else negative.
    int descriptor() const { return m_descriptor; }
    /// Written as it is, from the beginning only: a descriptor, and what exists and is no regular
    /// file.
    bool is_stream() const { return m_descriptor >= 0 || m_is_device; }
    /// The file itself where the path is a link.
    const std::filesystem::path& file() const { return m_file; }
    /// For messages.
    std::string name() const { return m_path.empty() ? "standard output" : m_path; }
    Failure cannot_write(const std::string& reason) const;

private:
    OutputPlace(std::string path, OutputKind kind);

    std::string m_path;
    OutputKind m_kind;
    int m_descriptor = -1;
    bool m_is_device = false;
    std::filesystem::path m_file;
};

} // namespace lttng_gpu::report
