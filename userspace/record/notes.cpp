// SPDX-License-Identifier: MIT
//
// See notes.hpp.
#include "notes.hpp"

#include "tool.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view prefix = "recording-";
constexpr std::chrono::milliseconds lock_pause{20};

std::vector<std::string> lines_of(const fs::path& path)
{
    std::vector<std::string> lines;
    std::ifstream file{path};
    for (std::string line; std::getline(file, line);) {
        lines.push_back(line);
    }
    return lines;
}

Expected<void> write_lines(const fs::path& path, const std::vector<std::string>& lines)
{
    std::ofstream file{path, std::ios::trunc};
    for (const std::string& line : lines) {
        file << line << '\n';
    }
    if (!file.flush()) {
        return failed(fmt::format("{} cannot be written: {}", path.string(), std::strerror(errno)));
    }
    return {};
}

/// The processes of others see the notes' contents, but only we may write them.
Expected<void> make_folder(const fs::path& folder)
{
    struct stat status {};
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        return failed(fmt::format("cannot create {}: {}", folder.string(), std::strerror(errno)));
    }
    if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
        status.st_uid != geteuid() || (status.st_mode & 022) != 0) {
        return failed(
            fmt::format("{} must be a folder of this user, and others must not be able to "
                        "write to; remove it",
                        folder.string()));
    }
    return {};
}

std::string text_of(const Custody& custody)
{
    return fmt::format("{} {} {} {} {} {} {}", custody.owner.user, custody.owner.group,
                       custody.device, custody.inode, custody.of_folder.user,
                       custody.of_folder.group, custody.mode);
}

std::optional<Custody> custody_in(const std::string& text)
{
    Custody custody;
    std::istringstream numbers{text};
    numbers >> custody.owner.user >> custody.owner.group >> custody.device >> custody.inode >>
        custody.of_folder.user >> custody.of_folder.group >> custody.mode;
    return numbers ? std::optional{custody} : std::nullopt;
}

Expected<void> write_or_remove(const fs::path& path, const std::vector<std::string>& lines)
{
    if (lines.empty()) {
        std::error_code ignored;
        fs::remove(path, ignored);
        return {};
    }
    return write_lines(path, lines);
}

} // namespace

std::string start_of_process(int pid)
{
    std::ifstream file{fmt::format("/proc/{}/stat", pid)};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    // The name of the program, in parentheses, may contain anything.
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) {
        return {};
    }
    constexpr int fields_before = 19; // proc(5): starttime is the 22nd, the name the 2nd
    std::istringstream fields{text.substr(name_end + 1)};
    std::string field;
    std::string state;
    fields >> state;
    for (int skipped = 0; skipped < fields_before; ++skipped) {
        fields >> field;
    }
    return state == "Z" || state == "X" ? "" : field;
}

fs::path Notes::default_folder()
{
    if (geteuid() == 0) {
        return "/run/lttng-gpu";
    }
    const char* home = std::getenv("LTTNG_HOME");
    if (home == nullptr) {
        struct stat status {};
        const char* runtime = std::getenv("XDG_RUNTIME_DIR");
        if (runtime != nullptr && stat(runtime, &status) == 0 && status.st_uid == geteuid()) {
            return fs::path{runtime} / "lttng-gpu";
        }
        home = std::getenv("HOME");
    }
    // Several machines may share a home, but neither processes nor daemons.
    char host[HOST_NAME_MAX + 1] = "";
    gethostname(host, sizeof host - 1);
    return fs::path{home != nullptr ? home : "/"} / fmt::format(".lttng-gpu-{}", host);
}

Expected<Descriptor> Notes::lock(const std::function<bool()>& goes_on) const
{
    while (true) {
        if (const auto made = make_folder(m_folder); !made) {
            return Failure{made.error()};
        }
        Descriptor folder{open(m_folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
        if (!folder && errno == ENOENT) {
            continue; // another recording was the last and has just removed it
        }
        if (!folder) {
            return failed(
                fmt::format("{} cannot be opened: {}", m_folder.string(), std::strerror(errno)));
        }
        while (flock(folder.get(), LOCK_EX | LOCK_NB) != 0) {
            if (errno != EINTR && errno != EWOULDBLOCK) {
                return failed(fmt::format("{} cannot be locked: {}", m_folder.string(),
                                          std::strerror(errno)));
            }
            if (!goes_on()) {
                return failed("interrupted while another recording began or ended");
            }
            std::this_thread::sleep_for(lock_pause);
        }
        struct stat held {};
        struct stat there {};
        fstat(folder.get(), &held);
        if (stat(m_folder.c_str(), &there) == 0 && held.st_ino == there.st_ino &&
            held.st_dev == there.st_dev) {
            return folder;
        }
    }
}

void Notes::remove_if_empty() const
{
    rmdir(m_folder.c_str()); // fails while others have notes in it
}

fs::path Notes::watch_folder(int pid) const
{
    return m_folder / fmt::format("watch-{}", pid);
}

Expected<void> Notes::add(int pid, const std::vector<std::string>& sessions,
                          const Folder& trace) const
{
    std::vector<std::string> lines{start_of_process(pid), trace.path().string(),
                                   trace.custody() ? text_of(*trace.custody()) : "-"};
    lines.insert(lines.end(), sessions.begin(), sessions.end());
    return write_lines(m_folder / fmt::format("{}{}", prefix, pid), lines);
}

void Notes::remove(int pid) const
{
    std::error_code ignored;
    fs::remove(m_folder / fmt::format("{}{}", prefix, pid), ignored);
    fs::remove_all(watch_folder(pid), ignored);
}

std::vector<RecordingNote> Notes::dead() const
{
    std::vector<RecordingNote> notes;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator{m_folder, error}) {
        const std::string name = entry.path().filename().string();
        RecordingNote note{entry.path(), 0, {}, {}, {}};
        if (!name.starts_with(prefix)) {
            continue;
        }
        std::from_chars(name.data() + prefix.size(), name.data() + name.size(), note.pid);
        const auto lines = lines_of(note.path);
        const std::string start = start_of_process(note.pid);
        if (!lines.empty() && !start.empty() && lines[0] == start) {
            continue;
        }
        if (lines.size() > 2) {
            note.trace = lines[1];
            note.custody = custody_in(lines[2]);
            note.sessions.assign(lines.begin() + 3, lines.end());
        }
        notes.push_back(std::move(note));
    }
    return notes;
}

bool Notes::has_recordings() const
{
    std::error_code error;
    const fs::directory_iterator entries{m_folder, error};
    return std::any_of(begin(entries), end(entries), [](const fs::directory_entry& entry) {
        return entry.path().filename().string().starts_with(prefix);
    });
}

std::vector<std::string> Notes::modules() const
{
    return lines_of(m_folder / "modules");
}

std::vector<std::string> Notes::daemon_modules() const
{
    return lines_of(m_folder / "daemon-modules");
}

Expected<void> Notes::set_modules(const std::vector<std::string>& modules) const
{
    return write_or_remove(m_folder / "modules", modules);
}

Expected<void> Notes::set_daemon_modules(const std::vector<std::string>& modules) const
{
    return write_or_remove(m_folder / "daemon-modules", modules);
}

} // namespace lttng_gpu::record
