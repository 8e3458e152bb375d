// SPDX-License-Identifier: MIT
//
// See root_folder.hpp.
#include "root_folder.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <functional>
#include <linux/magic.h>
#include <memory>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

// See acl(5). The second one of a folder is what is made in it begins with.
constexpr std::array<const char*, 2> access_lists{"system.posix_acl_access",
                                                  "system.posix_acl_default"};
constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};

Descriptor open_folder_in(int folder, const char* name)
{
    return Descriptor{openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
}

void for_each_name(int folder, const std::function<void(const char*)>& act)
{
    const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, CloseFolder> names{again >= 0 ? fdopendir(again) : nullptr};
    while (const dirent* const next = names ? readdir(names.get()) : nullptr) {
        const std::string_view name = next->d_name;
        if (name != "." && name != "..") {
            act(next->d_name);
        }
    }
}

void give_entry(const Owner& owner, int folder, const char* name)
{
    const Descriptor entry{openat(folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC)};
    struct stat status {};
    if (!entry || fstat(entry.get(), &status) != 0 || status.st_uid != 0) {
        return;
    }
    // What is below it first: afterwards it is no longer root's alone.
    if (S_ISDIR(status.st_mode)) {
        for_each_name(entry.get(),
                      [&](const char* below) { give_entry(owner, entry.get(), below); });
    } else if (status.st_nlink != 1) {
        return;
    }
    [[maybe_unused]] const int result =
        fchownat(entry.get(), "", owner.user, owner.group, AT_EMPTY_PATH);
}

Failure refused(const std::string& shown, const std::string& why)
{
    return Failure{
        {ErrorKind::BadArguments,
         fmt::format("{} {}, so root cannot record there for another user; choose another folder "
                     "with -o",
                     shown, why)}};
}

} // namespace

Descriptor open_without_links(const fs::path& path, int flags)
{
    Descriptor folder{open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    for (const fs::path& name : path.relative_path()) {
        if (folder && !name.empty()) {
            folder = Descriptor{
                openat(folder.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
        }
    }
    return folder ? Descriptor{openat(folder.get(), ".", flags | O_DIRECTORY | O_CLOEXEC)}
                  : Descriptor{};
}

fs::path place_of(const Descriptor& folder)
{
    return fmt::format("/proc/{}/fd/{}", getpid(), folder.get());
}

bool is_place(const fs::path& path)
{
    return path.string().starts_with(fmt::format("/proc/{}/fd/", getpid()));
}

fs::path name_of(const Descriptor& folder)
{
    struct stat status {};
    std::error_code error;
    const bool is_there = fstat(folder.get(), &status) == 0 && status.st_nlink != 0;
    return is_there ? fs::read_symlink(place_of(folder), error) : fs::path{};
}

bool is_empty(const Descriptor& folder)
{
    bool is_so = true;
    for_each_name(folder.get(), [&](const char*) { is_so = false; });
    return is_so;
}

Expected<void> keep_for_root(const Descriptor& folder, const std::string& shown)
{
    struct statfs system {};
    struct stat status {};
    if (fstatfs(folder.get(), &system) != 0 || system.f_type == FUSE_SUPER_MAGIC) {
        return refused(shown, "is on a file system that a program provides");
    }
    if (fchown(folder.get(), 0, static_cast<gid_t>(-1)) != 0) {
        return refused(shown, fmt::format("cannot become root's ({})", std::strerror(errno)));
    }
    for (const char* const list : access_lists) {
        if (fremovexattr(folder.get(), list) != 0 && errno != ENODATA && errno != ENOTSUP) {
            return refused(shown,
                           fmt::format("keeps its access control list ({})", std::strerror(errno)));
        }
    }
    if (fstat(folder.get(), &status) != 0 ||
        fchmod(folder.get(), status.st_mode & 07777U & ~writable_by_others) != 0 ||
        fstat(folder.get(), &status) != 0 || status.st_uid != 0 ||
        (status.st_mode & writable_by_others) != 0) {
        return refused(shown, "is on a file system that does not keep owners and modes");
    }
    return {};
}

void give_contents(const Owner& owner, const Descriptor& folder)
{
    for_each_name(folder.get(), [&](const char* name) { give_entry(owner, folder.get(), name); });
}

void remove_empty_folders_in(const Descriptor& folder)
{
    for_each_name(folder.get(), [&](const char* name) {
        if (const Descriptor below = open_folder_in(folder.get(), name)) {
            remove_empty_folders_in(below);
            unlinkat(folder.get(), name, AT_REMOVEDIR); // not if there is something in it
        }
    });
}

} // namespace lttng_gpu::record
