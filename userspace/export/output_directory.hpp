// SPDX-License-Identifier: MIT
//
// A directory that exists only when it is complete: written under another name next to
// its path, renamed at the end, removed after a failure.
#pragma once

#include "../correlate/report/output_place.hpp"

#include <filesystem>

namespace lttng_gpu::exporting {

class OutputDirectory {
public:
    /// The path may exist only as an empty directory.
    static Expected<OutputDirectory> create(const report::OutputPlace& place);

    OutputDirectory(const OutputDirectory&) = delete;
    OutputDirectory(OutputDirectory&& other) noexcept;
    OutputDirectory& operator=(const OutputDirectory&) = delete;
    OutputDirectory& operator=(OutputDirectory&&) = delete;
    ~OutputDirectory();

    /// Not made yet: sink.ctf.fs wants to make the directory of a trace itself.
    std::filesystem::path path() const { return m_partial / "trace"; }
    /// To its place.
    Expected<void> finish();

private:
    OutputDirectory(std::filesystem::path place, std::filesystem::path partial);

    std::filesystem::path m_place;
    std::filesystem::path m_partial; // empty: nothing to remove
};

/// A directory of this program's own for the time being.
class ScratchDirectory {
public:
    static Expected<ScratchDirectory> create();

    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory(ScratchDirectory&& other) noexcept;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(ScratchDirectory&&) = delete;
    ~ScratchDirectory();

    const std::filesystem::path& path() const { return m_path; }

private:
    explicit ScratchDirectory(std::filesystem::path path) : m_path{std::move(path)} {}

    std::filesystem::path m_path;
};

} // namespace lttng_gpu::exporting
