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

/// After a power cut a file that was made shortly before is empty, or has zeros for its content.
/// What a daemon leaves that was killed is empty, too, or a packet with nothing in it.
bool is_lost(const fs::path& metadata)
{
    constexpr std::size_t most = 4096; // what LTTng makes of a packet
    std::ifstream file{metadata, std::ios::binary};
    std::array<char, most + 1> bytes{};
    file.read(bytes.data(), bytes.size());
    const auto size = static_cast<std::size_t>(file.gcount());
    if (!file.is_open() || bytes[0] == 0) {
        return file.is_open();
    }
    const auto text = unpack_metadata({bytes.data(), size});
    return size <= most && text && *text && (*text)->empty();
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

enum class Kind { File, Directory, Refused, Gone };

Kind kind_of(const fs::directory_entry& entry)
{
    std::error_code error;
    switch (entry.symlink_status(error).type()) {
    case fs::file_type::regular:
        return Kind::File;
    case fs::file_type::directory:
        return Kind::Directory;
    case fs::file_type::symlink:
        return entry.is_directory(error) ? Kind::Directory : Kind::Refused;
    case fs::file_type::none:
    case fs::file_type::not_found:
        return Kind::Gone; // since its name was read
    default:
        return Kind::Refused;
    }
}

/// The directories at or below `root` that hold a file `metadata`.
Expected<std::vector<fs::path>> trace_paths(const fs::path& root)
{
    std::error_code error;
    if (!fs::exists(root, error)) {
        return unreadable(root, error ? error.message() : "no such file or directory");
    }
    if (!fs::is_directory(root, error)) {
        return unreadable(root, "not a directory; give the trace's directory");
    }
    std::vector<fs::path> found;
    fs::recursive_directory_iterator entry{root, error};
    for (; !error && entry != fs::recursive_directory_iterator{}; entry.increment(error)) {
        if (entry->path().filename() != "metadata") {
            continue;
        }
        const Kind kind = kind_of(*entry);
        if (kind == Kind::Refused) {
            return Failure{refusal(ErrorKind::UnreadableTrace, entry->path())};
        }
        if (kind == Kind::File) {
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

Error refusal(ErrorKind kind, const fs::path& file)
{
    std::error_code error;
    const char* const why = fs::is_symlink(file, error)
                                ? ": a symbolic link; inside a trace none is followed"
                                : ": not a regular file; inside a trace no other is read";
    return {kind, file.string() + why};
}

TraceFiles find_files(const TraceDirectory& trace)
{
    TraceFiles files;
    std::error_code error;
    for (fs::directory_iterator entry{trace.path, error}, end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name == "metadata" || name.starts_with('.')) {
            continue;
        }
        const Kind kind = kind_of(*entry);
        if (kind == Kind::File || kind == Kind::Refused) {
            (kind == Kind::File ? files.streams : files.refused).push_back(entry->path());
        }
    }
    std::sort(files.streams.begin(), files.streams.end());
    std::sort(files.refused.begin(), files.refused.end());
    return files;
}

Expected<std::vector<TraceDirectory>> find_traces(const std::vector<fs::path>& roots,
                                                  std::vector<fs::path>* passed_over)
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

    const auto lost = std::stable_partition(paths.begin(), paths.end(), [](const fs::path& path) {
        return !is_lost(path / "metadata");
    });
    if (lost != paths.begin()) {
        if (passed_over) {
            passed_over->assign(lost, paths.end());
        }
        paths.erase(lost, paths.end());
    }

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
