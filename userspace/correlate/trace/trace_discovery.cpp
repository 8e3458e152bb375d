// SPDX-License-Identifier: MIT
//
// See trace_discovery.hpp. Unreadable subdirectories are errors: leaving a
// trace out without a word would give wrong numbers.
#include "trace_discovery.hpp"
#include "metadata_packets.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

namespace lttng_gpu::trace {
namespace {

namespace fs = std::filesystem;

Failure unreadable(const fs::path& path, std::string_view reason)
{
    return Failure{
        {ErrorKind::UnreadableTrace, "cannot read " + path.string() + ": " + std::string{reason}}};
}

/// The metadata is a packetised stream (magic 0x75d11d57 in either byte order)
/// or plain text in CTF 1.8, and a sequence of JSON texts in CTF 2.
Expected<MetadataKind> metadata_kind(const fs::path& metadata)
{
    std::ifstream file{metadata, std::ios::binary};
    std::array<char, 4> start{};
    file.read(start.data(), start.size());
    if (file.gcount() == 0) {
        return unreadable(metadata, "the metadata is empty or unreadable");
    }
    constexpr char record_separator = 0x1e; // RFC 7464
    const bool is_json = start[0] == record_separator || start[0] == '{';
    return is_json ? MetadataKind::Ctf2 : MetadataKind::Ctf1;
}

/// The directories at or below `root` that hold a file `metadata`.
Expected<std::vector<fs::path>> trace_paths(const fs::path& root)
{
    std::error_code error;
    if (!fs::exists(root, error)) {
        return unreadable(root, error ? error.message() : "no such directory");
    }
    if (!fs::is_directory(root, error)) {
        return unreadable(root, "not a directory; give the trace's directory");
    }
    std::vector<fs::path> found;
    fs::recursive_directory_iterator entry{root, error};
    for (; !error && entry != fs::recursive_directory_iterator{}; entry.increment(error)) {
        if (entry->path().filename() == "metadata" && entry->is_regular_file(error)) {
            if (entry->is_symlink(error)) {
                return Failure{link_error(ErrorKind::UnreadableTrace, entry->path())};
            }
            found.push_back(entry->path().parent_path());
        }
    }
    if (error) {
        return unreadable(root, error.message());
    }
    if (found.empty()) {
        return unreadable(root, "no CTF trace in it (no file named metadata)");
    }
    return found;
}

} // namespace

Error link_error(ErrorKind kind, const fs::path& link)
{
    return {kind, link.string() + ": a symbolic link; inside a trace none is followed"};
}

TraceFiles find_files(const TraceDirectory& trace)
{
    TraceFiles files;
    std::error_code error;
    for (fs::directory_iterator entry{trace.path, error}, end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (entry->is_regular_file(error) && name != "metadata" && !name.starts_with('.')) {
            (entry->is_symlink(error) ? files.links : files.streams).push_back(entry->path());
        }
    }
    std::sort(files.streams.begin(), files.streams.end());
    std::sort(files.links.begin(), files.links.end());
    return files;
}

Expected<std::vector<TraceDirectory>> find_traces(const std::vector<fs::path>& roots)
{
    std::vector<fs::path> paths;
    for (const fs::path& root : roots) {
        auto found = trace_paths(root);
        if (!found) {
            return Failure{found.error()};
        }
        for (const fs::path& path : *found) {
            std::error_code error;
            const fs::path real = fs::canonical(path, error);
            paths.push_back(error ? path : real);
        }
    }
    std::sort(paths.begin(), paths.end());
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());

    std::vector<TraceDirectory> traces;
    for (const fs::path& path : paths) {
        const auto kind = metadata_kind(path / "metadata");
        if (!kind) {
            return Failure{kind.error()};
        }
        if (const auto whole = check_metadata_packets(path / "metadata"); !whole) {
            return Failure{whole.error()};
        }
        traces.push_back({path, *kind});
    }
    return traces;
}

} // namespace lttng_gpu::trace
