// SPDX-License-Identifier: MIT
//
// See buffer_users.hpp.
#include "buffer_users.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <utility>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

using FileId = std::pair<dev_t, ino_t>;

std::vector<FileId> identities(const std::vector<fs::path>& files)
{
    std::vector<FileId> found;
    for (const fs::path& file : files) {
        struct stat status {};
        if (stat(file.c_str(), &status) == 0) {
            found.emplace_back(status.st_dev, status.st_ino);
        }
    }
    return found;
}

enum class Mapped { No, Yes, NoMemory, Unreadable };

/// `maps`: that file of a process or a thread; its lines are "begin-end rights offset
/// major:minor inode path".
Mapped look_into(const fs::path& maps, const std::vector<FileId>& files)
{
    errno = 0;
    std::ifstream lines{maps};
    if (!lines) {
        const bool is_gone = errno == ENOENT || errno == ESRCH;
        return is_gone ? Mapped::NoMemory : Mapped::Unreadable;
    }
    Mapped mapped = Mapped::NoMemory;
    for (std::string line; std::getline(lines, line);) {
        mapped = Mapped::No;
        unsigned major_number = 0;
        unsigned minor_number = 0;
        unsigned long inode = 0;
        if (std::sscanf(line.c_str(), "%*s %*s %*s %x:%x %lu", &major_number, &minor_number,
                        &inode) == 3 &&
            std::ranges::find(files, FileId{makedev(major_number, minor_number), inode}) !=
                files.end()) {
            return Mapped::Yes;
        }
    }
    return mapped;
}

/// Of a process whose first thread has ended only its other threads still have its memory.
Mapped look_into_process(const fs::path& process, const std::vector<FileId>& files)
{
    const Mapped of_first = look_into(process / "maps", files);
    if (of_first != Mapped::NoMemory) {
        return of_first;
    }
    std::error_code error;
    for (const auto& thread : fs::directory_iterator{process / "task", error}) {
        const Mapped mapped = look_into(thread.path() / "maps", files);
        if (mapped != Mapped::NoMemory) {
            return mapped;
        }
    }
    return Mapped::NoMemory;
}

/// The real user; the owner of its files in /proc is another one where it may not be looked into.
std::optional<uid_t> user_of(const fs::path& process)
{
    std::ifstream file{process / "status"};
    std::string word;
    uid_t user = 0;
    while (file >> word && word != "Uid:") {
    }
    return file >> user ? std::optional{user} : std::nullopt;
}

} // namespace

bool are_left_by_all(const std::vector<fs::path>& files, const std::vector<int>& readers)
{
    const auto wanted = identities(files);
    bool is_reader_seen = false;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator{"/proc", error}) {
        const std::string name = entry.path().filename().string();
        int pid = 0;
        const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
        if (parsed.ec != std::errc{} || parsed.ptr != name.data() + name.size()) {
            continue;
        }
        const Mapped mapped = look_into_process(entry.path(), wanted);
        if (std::ranges::find(readers, pid) != readers.end()) {
            is_reader_seen = is_reader_seen || mapped == Mapped::Yes;
        } else if (mapped == Mapped::Yes) {
            return false;
        } else if (mapped == Mapped::Unreadable) {
            const auto user = user_of(entry.path());
            if (!user || *user == geteuid() || geteuid() == 0) {
                return false;
            }
        }
    }
    return is_reader_seen && !error;
}

} // namespace lttng_gpu::record
