// SPDX-License-Identifier: MIT
//
// See output_directory.hpp.
#include "output_directory.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace lttng_gpu::exporting {
namespace {

namespace fs = std::filesystem;

Failure cannot_write(const fs::path& path, const std::string& reason)
{
    return Failure{{ErrorKind::Output, "cannot write " + path.string() + ": " + reason}};
}

/// Empty when it is free.
std::string path_problem(const fs::path& place)
{
    std::error_code error;
    const fs::file_status status = fs::symlink_status(place, error);
    if (!fs::exists(status)) {
        return {};
    }
    if (!fs::is_directory(status)) {
        return "it exists and is not a directory; name another one with -o";
    }
    return fs::is_empty(place, error) && !error
               ? ""
               : "the directory is not empty; remove it or name another one with -o";
}

Expected<fs::path> make_unique_directory(const fs::path& beginning)
{
    std::string name = beginning.string() + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) {
        return cannot_write(beginning.parent_path(), std::strerror(errno));
    }
    return fs::path{name};
}

void remove_ignoring_errors(const fs::path& directory)
{
    if (!directory.empty()) {
        std::error_code ignored;
        fs::remove_all(directory, ignored);
    }
}

} // namespace

Expected<OutputDirectory> OutputDirectory::create(const report::OutputPlace& place)
{
    fs::path final = fs::absolute(place.name()).lexically_normal();
    if (!final.has_filename()) { // "DIR/"
        final = final.parent_path();
    }
    if (const std::string reason = path_problem(final); !reason.empty()) {
        return place.cannot_write(reason);
    }
    auto partial = make_unique_directory(final.string() + ".partial-");
    if (!partial) {
        return Failure{partial.error()};
    }
    return OutputDirectory{std::move(final), std::move(*partial)};
}

OutputDirectory::OutputDirectory(fs::path place, fs::path partial)
    : m_place{std::move(place)}, m_partial{std::move(partial)}
{
}

OutputDirectory::OutputDirectory(OutputDirectory&& other) noexcept
    : m_place{std::move(other.m_place)}, m_partial{std::exchange(other.m_partial, {})}
{
}

OutputDirectory::~OutputDirectory()
{
    remove_ignoring_errors(m_partial);
}

Expected<void> OutputDirectory::finish()
{
    if (std::rename(path().c_str(), m_place.c_str()) != 0) {
        return cannot_write(m_place, std::strerror(errno));
    }
    return {};
}

Expected<ScratchDirectory> ScratchDirectory::create()
{
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    auto made = make_unique_directory((error ? fs::path{"/tmp"} : parent) / "lttng-gpu-");
    if (!made) {
        return Failure{made.error()};
    }
    return ScratchDirectory{std::move(*made)};
}

ScratchDirectory::ScratchDirectory(ScratchDirectory&& other) noexcept
    : m_path{std::exchange(other.m_path, {})}
{
}

ScratchDirectory::~ScratchDirectory()
{
    remove_ignoring_errors(m_path);
}

} // namespace lttng_gpu::exporting
