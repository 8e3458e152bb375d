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

Expected<void> ensure_writable_home(Narrator& narrator)
{
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
