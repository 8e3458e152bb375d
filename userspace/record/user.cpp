// SPDX-License-Identifier: MIT
//
// See user.hpp.
#include "user.hpp"

#include "tool.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

// What tells a program that it runs for somebody else, which it does not any more, and root's own.
constexpr const char* variables_of_others[] = {
    "SUDO_UID", "SUDO_GID", "SUDO_USER", "SUDO_COMMAND", "PKEXEC_UID", "DOAS_USER", "LTTNG_HOME"};

std::optional<uid_t> number_in(const std::string& text)
{
    uid_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && rest == end ? std::optional{number} : std::nullopt;
}

std::vector<gid_t> groups_of(const passwd& user)
{
    int count = 16;
    std::vector<gid_t> groups(static_cast<std::size_t>(count));
    while (getgrouplist(user.pw_name, user.pw_gid, groups.data(), &count) < 0) {
        groups.resize(std::max(groups.size() * 2, static_cast<std::size_t>(count)));
        count = static_cast<int>(groups.size());
    }
    groups.resize(static_cast<std::size_t>(count));
    return groups;
}

Expected<User> find_user(const std::string& text)
{
    const auto number = number_in(text);
    const passwd* const found = number ? getpwuid(*number) : getpwnam(text.c_str());
    if (found == nullptr) {
        return Failure{{ErrorKind::BadArguments, fmt::format("there is no user `{}`", text)}};
    }
    return User{found->pw_uid,  found->pw_gid, groups_of(*found),
                found->pw_name, found->pw_dir, found->pw_shell};
}

/// Text for find_user(); empty: nobody.
std::string caller_of_root()
{
    for (const char* name : {"SUDO_UID", "PKEXEC_UID", "DOAS_USER"}) {
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') {
            return value;
        }
    }
    return {};
}

/// Programs expect a folder of their own there, or no such variable.
void set_runtime_folder(uid_t id)
{
    const std::string folder = fmt::format("/run/user/{}", id);
    struct stat status {};
    if (stat(folder.c_str(), &status) == 0 && status.st_uid == id) {
        setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
    } else {
        unsetenv("XDG_RUNTIME_DIR");
    }
}

/// Root's privileges are laid down as long as this lives.
class Disguise {
public:
    explicit Disguise(const User& user)
    {
        m_groups.resize(static_cast<std::size_t>(std::max(getgroups(0, nullptr), 0)));
        m_is_on = getgroups(static_cast<int>(m_groups.size()), m_groups.data()) >= 0 &&
                  setgroups(user.groups.size(), user.groups.data()) == 0 &&
                  setegid(user.group) == 0 && seteuid(user.id) == 0;
    }
    Disguise(const Disguise&) = delete;
    Disguise& operator=(const Disguise&) = delete;
    ~Disguise()
    {
        if (seteuid(0) != 0 || setegid(0) != 0 ||
            setgroups(m_groups.size(), m_groups.data()) != 0) {
            std::abort(); // cannot be: the real user is root
        }
    }
    bool is_on() const { return m_is_on; }

private:
    std::vector<gid_t> m_groups; // root's
    bool m_is_on = false;
};

} // namespace

int User::become() const
{
    if (setgroups(groups.size(), groups.data()) != 0 || setresgid(group, group, group) != 0 ||
        setresuid(id, id, id) != 0) {
        return errno;
    }
    for (const char* const variable : variables_of_others) {
        unsetenv(variable);
    }
    setenv("HOME", home.c_str(), 1);
    setenv("USER", name.c_str(), 1);
    setenv("LOGNAME", name.c_str(), 1);
    setenv("SHELL", shell.empty() ? "/bin/sh" : shell.c_str(), 1);
    set_runtime_folder(id);
    return 0;
}

Descriptor User::open_as(const fs::path& file, int flags) const
{
    const Disguise disguise{*this};
    return Descriptor{disguise.is_on() ? open(file.c_str(), flags | O_CLOEXEC, 0666) : -1};
}

bool User::may_read(const fs::path& file) const
{
    return static_cast<bool>(open_as(file, O_RDONLY));
}

Expected<std::optional<User>> user_of_command(const std::string& wanted)
{
    const bool is_root = geteuid() == 0;
    const std::string text = !wanted.empty() ? wanted : is_root ? caller_of_root() : "";
    if (text.empty()) {
        return std::optional<User>{};
    }
    auto user = find_user(text);
    if (!user) {
        return Failure{user.error()};
    }
    if (user->id == geteuid()) {
        return std::optional<User>{};
    }
    if (!is_root) {
        return Failure{
            {ErrorKind::BadArguments, "--user: only root can run a command as " + user->name}};
    }
    return std::optional<User>{std::move(*user)};
}

} // namespace lttng_gpu::record
