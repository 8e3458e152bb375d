// SPDX-License-Identifier: MIT
//
// See lttng_home.hpp.
#include "lttng_home.hpp"

#include "tool.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lttng_gpu::record {
namespace fs = std::filesystem;

fs::path lttng_home()
{
    for (const char* name : {"LTTNG_HOME", "HOME"}) {
        if (const char* value = std::getenv(name)) {
            return value;
        }
    }
    const passwd* const user = getpwuid(getuid());
    return user != nullptr ? user->pw_dir : "/";
}

namespace {

/// Nobody but root can put something else there.
bool is_of_root_alone(const fs::path& path)
{
    for (fs::path at = path;; at = at.parent_path()) {
        struct stat status {};
        const bool is_roots = lstat(at.c_str(), &status) == 0 && status.st_uid == 0 &&
                              ((status.st_mode & 022) == 0 || (status.st_mode & S_ISVTX) != 0);
        if (!is_roots || at == at.parent_path()) {
            return is_roots;
        }
    }
}

/// sudo may leave $HOME as it was. LTTng's tools write there, as root.
void leave_home_of_others()
{
    std::error_code error;
    const passwd* const root = getpwuid(0);
    if (geteuid() == 0 && root != nullptr &&
        !is_of_root_alone(fs::weakly_canonical(lttng_home(), error))) {
        setenv("LTTNG_HOME", root->pw_dir, 1);
    }
}

} // namespace

Expected<void> ensure_writable_home(Narrator& narrator)
{
    leave_home_of_others();
    // Not access(), which says yes to root for folders of /proc, too.
    const fs::path home = lttng_home();
    std::string trial = (home / ".lttng-gpu-XXXXXX").string();
    if (mkdtemp(trial.data()) != nullptr) {
        rmdir(trial.c_str());
        return {};
    }
    const int why = errno;
    const std::string folder = fmt::format("/tmp/lttng-gpu-home-{}", geteuid());
    struct stat status {};
    if (!narrator.is_dry_run() && mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        return failed(fmt::format("cannot create {}: {}", folder, std::strerror(errno)));
    }
    if (!narrator.is_dry_run() &&
        (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
         status.st_uid != geteuid() || (status.st_mode & 077) != 0)) {
        return failed(fmt::format("{} must be a folder of this user alone; remove it", folder));
    }
    narrator.comment(fmt::format("the home {} cannot be written to ({}): LTTng's files are in {}",
                                 home.string(), std::strerror(why), folder));
    setenv("LTTNG_HOME", folder.c_str(), 1);
    return {};
}

} // namespace lttng_gpu::record
