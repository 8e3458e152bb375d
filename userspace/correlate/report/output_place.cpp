// SPDX-License-Identifier: MIT
//
// See output_place.hpp. Files are compared by device and inode, so links, other names and other
// spellings of one make no difference.
#include "output_place.hpp"

#include "../trace/open/recognise.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lttng_gpu::report {
namespace {

namespace fs = std::filesystem;

using FileId = std::pair<dev_t, ino_t>;

struct Found {
    FileId id;
    mode_t mode;
    off_t size;
};

std::optional<Found> found(int result, const struct stat& status)
{
    return result == 0 ? std::optional{Found{
                             {status.st_dev, status.st_ino}, status.st_mode, status.st_size}}
                       : std::nullopt;
}

std::optional<Found> look_at(const fs::path& path)
{
    struct stat status = {};
    const int result = ::stat(path.c_str(), &status);
    return found(result, status);
}

std::optional<Found> look_at(int descriptor)
{
    struct stat status = {};
    const int result = ::fstat(descriptor, &status);
    return found(result, status);
}

/// What the inputs consist of.
struct Inputs {
    std::set<FileId> files;
    std::set<FileId> folders;                       // as they are named
    std::vector<std::pair<FileId, fs::path>> roots; // and what leads to them
};

/// Files in folders that have a trace: its metadata, streams and indexes. False: there is no trace.
bool add_trace_files(const fs::path& root, Inputs& inputs)
{
    std::error_code error;
    std::set<fs::path> traces;
    const auto each_in = [&error](const fs::path& folder, const auto& visit) {
        for (fs::recursive_directory_iterator entry{folder, error}, end; !error && entry != end;
             entry.increment(error)) {
            visit(entry->path());
        }
    };
    each_in(root, [&](const fs::path& path) {
        if (path.filename() == "metadata") {
            traces.insert(path.parent_path());
        }
    });
    for (const fs::path& trace : traces) {
        each_in(trace, [&](const fs::path& path) {
            if (const auto file = look_at(path); file && S_ISREG(file->mode)) {
                inputs.files.insert(file->id);
            }
        });
    }
    return !traces.empty();
}

Inputs take_inputs(std::span<const fs::path> paths)
{
    Inputs inputs;
    for (const fs::path& path : paths) {
        const auto input = trace::is_live(path) ? std::nullopt : look_at(path);
        if (!input) {
            continue;
        }
        const bool is_folder = S_ISDIR(input->mode);
        if (is_folder && !add_trace_files(path, inputs)) {
            continue; // which reading will tell
        }
        inputs.roots.emplace_back(input->id, path);
        (is_folder ? inputs.folders : inputs.files).insert(input->id);
    }
    return inputs;
}

/// The folder itself and those that it lies in; of a path that does not exist those that do.
template <typename Visit> void each_folder_upwards(const fs::path& path, const Visit& visit)
{
    std::error_code error;
    fs::path at = fs::weakly_canonical(fs::absolute(path, error), error);
    for (; !at.empty(); at = at.parent_path()) {
        if (const auto folder = look_at(at); folder && S_ISDIR(folder->mode)) {
            visit(folder->id);
        }
        if (at == at.parent_path()) {
            break;
        }
    }
}

bool lies_in_input(const fs::path& path, const Inputs& inputs)
{
    bool is_inside = false;
    each_folder_upwards(path, [&](const FileId& folder) {
        is_inside = is_inside || inputs.folders.count(folder) > 0;
    });
    return is_inside;
}

/// The first input that lies in it.
std::optional<fs::path> input_inside(const FileId& folder, const Inputs& inputs)
{
    for (const auto& [id, path] : inputs.roots) {
        bool is_inside = false;
        each_folder_upwards(path, [&](const FileId& at) { is_inside = is_inside || at == folder; });
        if (is_inside) {
            return path;
        }
    }
    return {};
}

struct Resolved {
    fs::path file;
    int descriptor = -1;
};

/// /proc/PID/fd/N of this process, which /dev/stdout and /dev/fd lead to.
std::optional<int> own_descriptor(const fs::path& path)
{
    const std::string folder = "/proc/" + std::to_string(::getpid()) + "/fd";
    const std::string name = path.filename().string();
    int number = -1;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_number = error == std::errc{} && end == name.data() + name.size();
    return path.parent_path() == folder && is_number ? std::optional{number} : std::nullopt;
}

/// Follows links, also to a file that does not exist yet.
Resolved resolve(const fs::path& path)
{
    constexpr int most_links = 40; // as the kernel, MAXSYMLINKS
    std::error_code error;
    fs::path at = fs::absolute(path, error);
    for (int links = 0; links < most_links; ++links) {
        const fs::path folder = fs::canonical(at.parent_path(), error);
        if (error) {
            break;
        }
        at = folder / at.filename();
        if (const auto descriptor = own_descriptor(at)) {
            return {at, *descriptor};
        }
        if (!fs::is_symlink(at, error)) {
            break;
        }
        const fs::path target = fs::read_symlink(at, error);
        at = target.is_absolute() ? target : folder / target;
    }
    return {at};
}

bool is_html(const fs::path& path)
{
    constexpr std::array<std::string_view, 2> beginnings{"<!doctype html", "<html"};
    std::string head(4096, '\0');
    std::ifstream file{path, std::ios::binary};
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    std::ranges::transform(head, head.begin(), [](unsigned char byte) {
        return static_cast<char>(std::tolower(byte));
    });
    const std::size_t text = head.find_first_not_of(" \t\r\n\xef\xbb\xbf"); // of a byte order mark
    return text != std::string::npos &&
           std::ranges::any_of(beginnings, [&](std::string_view beginning) {
               return head.compare(text, beginning.size(), beginning) == 0;
           });
}

constexpr const char* name_another = "; name another one";

std::optional<std::string> why_not_over_input(const Found& output, const Inputs& inputs)
{
    if (inputs.files.count(output.id) > 0 || inputs.folders.count(output.id) > 0) {
        return std::string{"it is an input of this command"} + name_another;
    }
    if (S_ISDIR(output.mode)) {
        if (const auto input = input_inside(output.id, inputs)) {
            return "the input " + input->string() + " lies in it" + name_another;
        }
    }
    return {};
}

std::optional<std::string> why_not_over_file(const fs::path& file, const Found& output,
                                             OutputKind kind)
{
    if (!S_ISREG(output.mode) || output.size == 0) {
        return {};
    }
    if (const char* const recording = trace::recording_kind(file)) {
        return std::string{"it is "} + recording +
               ", and no recording is overwritten; remove it first, or name another file";
    }
    if (kind == OutputKind::Page && !is_html(file)) {
        return "it is not an HTML page, and a page replaces nothing else; remove it first, or name "
               "another file";
    }
    return {};
}

} // namespace

OutputPlace::OutputPlace(std::string path, OutputKind kind) : m_path{std::move(path)}, m_kind{kind}
{
}

Failure OutputPlace::cannot_write(const std::string& reason) const
{
    return Failure{{ErrorKind::Output, "cannot write " + name() + ": " + reason}};
}

Expected<OutputPlace> OutputPlace::check(const std::string& path, OutputKind kind,
                                         std::span<const fs::path> input_paths)
{
    OutputPlace place{path, kind};
    Resolved resolved{{}, STDOUT_FILENO};
    if (!path.empty()) {
        resolved = resolve(path);
    }
    place.m_descriptor = resolved.descriptor;
    place.m_file = resolved.file;
    const bool is_named = resolved.descriptor < 0;
    const auto output = is_named ? look_at(place.m_file) : look_at(resolved.descriptor);
    place.m_is_device = output && !S_ISREG(output->mode) && !S_ISDIR(output->mode);
    if (place.m_is_device || (!is_named && !output)) {
        return place; // a device is no recording; opening tells what is not there
    }
    const Inputs inputs = take_inputs(input_paths);
    if (output) {
        if (const auto reason = why_not_over_input(*output, inputs)) {
            return place.cannot_write(*reason);
        }
    }
    if (!is_named) {
        return place; // who opened it knows what is in it
    }
    if (lies_in_input(place.m_file, inputs)) {
        return place.cannot_write(std::string{"it lies in an input of this command"} +
                                  name_another);
    }
    if (trace::is_trace_folder(place.m_file.parent_path())) {
        return place.cannot_write("its folder is a CTF trace, in which every file counts as a "
                                  "stream; name another one");
    }
    if (output) {
        if (const auto reason = why_not_over_file(place.m_file, *output, kind)) {
            return place.cannot_write(*reason);
        }
    }
    return place;
}

} // namespace lttng_gpu::report
