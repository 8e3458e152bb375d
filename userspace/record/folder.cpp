// SPDX-License-Identifier: MIT
//
// See folder.hpp.
#include "folder.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <ranges>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

/// ./lttng-gpu-20260131-235959
std::string timestamp_name()
{
    const std::time_t seconds = std::time(nullptr);
    std::tm local{};
    localtime_r(&seconds, &local);
    char text[32];
    std::strftime(text, sizeof text, "lttng-gpu-%Y%m%d-%H%M%S", &local);
    return text;
}

Failure bad(std::string message)
{
    return Failure{{ErrorKind::BadArguments, std::move(message)}};
}

Failure cannot_create(const fs::path& shown, int why)
{
    return bad(fmt::format("cannot create {}: {}", shown.string(), std::strerror(why)));
}

/// Without "." and "..", and with no "/" at its end.
fs::path plain_path(const fs::path& wanted)
{
    fs::path path = fs::absolute(wanted).lexically_normal();
    return path.has_filename() ? path : path.parent_path();
}

struct stat status_of(const Descriptor& folder)
{
    struct stat status {};
    fstat(folder.get(), &status);
    return status;
}

/// A folder that is there. Who calls for root may have been given a link that leads where only
/// root may write.
Expected<Descriptor> open_there(const fs::path& path, int flags, const std::optional<User>& user)
{
    Descriptor folder = open_without_links(path, flags);
    if (folder) {
        return folder;
    }
    folder = Descriptor{open(path.c_str(), flags | O_DIRECTORY | O_CLOEXEC)};
    if (!folder) {
        return bad(fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
    }
    if (user && status_of(folder).st_uid != user->id) {
        return bad(fmt::format("a symbolic link leads to {}, which is not {}'s; give -o the path "
                               "without it",
                               path.string(), user->name));
    }
    return folder;
}

} // namespace

bool has_trace(const fs::path& folder)
{
    std::error_code error;
    for (fs::recursive_directory_iterator entry{folder, error}, end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().filename() == "metadata") {
            return true;
        }
    }
    return false;
}

Expected<std::string> make_free_folder(const Descriptor& parent, const std::string& wanted)
{
    std::string name = wanted;
    for (int number = 2; mkdirat(parent.get(), name.c_str(), 0777) != 0; ++number) {
        if (errno != EEXIST) {
            return cannot_create(name, errno);
        }
        name = fmt::format("{}-{}", wanted, number);
    }
    return name;
}

Expected<Folder> Folder::make_free(const std::optional<User>& user)
{
    Descriptor parent{open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    const auto name = make_free_folder(parent, timestamp_name());
    if (!name) {
        return Failure{name.error()};
    }
    Folder folder{*name, plain_path(*name)};
    const auto held = folder.hold_made(std::move(parent), *name, user);
    return held ? Expected<Folder>{std::move(folder)} : Failure{held.error()};
}

Expected<Folder> Folder::make(const fs::path& wanted, bool is_dry_run,
                              const std::optional<User>& user)
{
    if (fs::current_path().string().find('\n') != std::string::npos ||
        wanted.string().find('\n') != std::string::npos) {
        return bad("the name of the folder has a line break; choose another with -o");
    }
    if (wanted.empty() && !is_dry_run) {
        return make_free(user);
    }
    const fs::path shown = wanted.empty() ? fs::path{timestamp_name()} : wanted;
    Folder folder{shown, plain_path(shown)};
    std::error_code error;
    std::vector<std::string> missing; // the innermost first
    fs::path there = folder.m_path;
    for (; !fs::exists(there, error) && there != there.parent_path(); there = there.parent_path()) {
        missing.push_back(there.filename().string());
    }
    if (missing.empty() && (!fs::is_directory(there, error) || !fs::is_empty(there, error))) {
        return bad(
            fmt::format("{} is not an empty folder; choose another with -o", wanted.string()));
    }
    if (is_dry_run) {
        return folder;
    }
    auto at = open_there(there, missing.empty() ? O_RDONLY : O_PATH, user);
    if (!at) {
        return Failure{at.error()};
    }
    auto held = missing.empty() ? folder.hold(std::move(*at), user, false) : Expected<void>{};
    for (const std::string& name : missing | std::views::reverse) {
        if (mkdirat(at->get(), name.c_str(), 0777) != 0) {
            return cannot_create(wanted, errno);
        }
        held = folder.hold_made(std::move(*at), name, user);
        if (!held) {
            break;
        }
        at = Descriptor{openat(folder.m_held.get(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    }
    return held ? Expected<Folder>{std::move(folder)} : Failure{held.error()};
}

Expected<void> Folder::hold_made(Descriptor parent, const std::string& name,
                                 const std::optional<User>& user)
{
    Descriptor made{
        openat(parent.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
    if (!made || status_of(made).st_uid != geteuid()) {
        return bad(fmt::format("{} was replaced while it was made", m_shown.string()));
    }
    if (m_held) {
        m_made.back().folder = std::move(m_held);
    }
    m_made.push_back({std::move(parent), name, {}});
    return hold(std::move(made), user, true);
}

/// Whose it is to be again is known before it becomes root's.
Expected<void> Folder::hold(Descriptor folder, const std::optional<User>& user, bool is_made)
{
    m_held = std::move(folder);
    if (geteuid() != 0) {
        return {};
    }
    const struct stat before = status_of(m_held);
    const Owner of_command = user ? user->owner() : Owner{};
    const Owner of_folder = is_made && user ? of_command : Owner{before.st_uid, before.st_gid};
    if (user && before.st_uid != 0 && before.st_uid != user->id) {
        return bad(fmt::format("{} is neither root's nor {}'s; choose another folder with -o",
                               m_shown.string(), user->name));
    }
    m_custody = Custody{Owner{}, before.st_dev, before.st_ino, of_folder,
                        static_cast<mode_t>(before.st_mode & 07777U)};
    // Where root records for itself, as well as it can be.
    const auto kept = keep_for_root(m_held, m_shown.string());
    if (user && !kept) {
        return kept;
    }
    if (!is_empty(m_held)) {
        return bad(
            fmt::format("{} is not an empty folder; choose another with -o", m_shown.string()));
    }
    m_custody->owner = of_command; // of nothing that was in it before
    return {};
}

Expected<Folder> Folder::left_at(const fs::path& path, const Custody& custody)
{
    Folder folder{path, path};
    folder.m_held = open_without_links(path, O_RDONLY);
    const struct stat status = status_of(folder.m_held);
    if (!folder.m_held || status.st_dev != custody.device || status.st_ino != custody.inode ||
        status.st_uid != geteuid()) {
        folder.m_held = {};
        return Failure{{ErrorKind::Output,
                        fmt::format("{} is not the folder of that recording any more: nothing is "
                                    "added to it",
                                    path.string())}};
    }
    folder.m_custody = custody;
    return folder;
}

fs::path Folder::shown() const
{
    return !m_held || is_in_place() ? m_shown : name_of(m_held);
}

fs::path Folder::place() const
{
    return m_custody ? place_of(m_held) : m_path;
}

bool Folder::is_in_place() const
{
    struct stat named {};
    const struct stat held = status_of(m_held);
    return stat(m_path.c_str(), &named) == 0 && named.st_ino == held.st_ino &&
           named.st_dev == held.st_dev;
}

bool Folder::enter() const
{
    return fchdir(m_held.get()) == 0;
}

/// What the command may have put there stays.
void Folder::remove_if_empty()
{
    if (m_made.empty() || has_trace(place())) {
        return;
    }
    remove_empty_folders_in(m_held);
    const Made& made = m_made.back();
    struct stat named {};
    const struct stat held = status_of(m_held);
    if (fstatat(made.parent.get(), made.name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
        named.st_ino == held.st_ino && named.st_dev == held.st_dev) {
        unlinkat(made.parent.get(), made.name.c_str(), AT_REMOVEDIR);
    }
}

void Folder::settle()
{
    if (!m_held || std::exchange(m_is_settled, true)) {
        return;
    }
    remove_if_empty();
    if (!m_custody) {
        return;
    }
    give_contents(m_custody->owner, m_held);
    // They are ours alone until now.
    const auto give = [](const Descriptor& folder, const Owner& owner) {
        [[maybe_unused]] const int result = fchown(folder.get(), owner.user, owner.group);
    };
    give(m_held, m_custody->of_folder);
    [[maybe_unused]] const int result = fchmod(m_held.get(), m_custody->mode);
    for (const Made& made : m_made | std::views::reverse) {
        if (made.folder) {
            give(made.folder, m_custody->owner);
        }
    }
}

} // namespace lttng_gpu::record
