// SPDX-License-Identifier: MIT
//
// See partial_file.hpp.
#include "partial_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lttng_gpu::report {
namespace {

constexpr unsigned usual_mode = 0666; // less what the umask says

/// Of the file that is replaced; new ones are as the umask says.
mode_t mode_for(bool exists, const struct stat& status)
{
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return exists ? status.st_mode & 0777U : usual_mode & ~mask;
}

/// Negative: an error in errno.
int open_stream(const OutputPlace& place)
{
    if (place.is_standard_output()) {
        return STDOUT_FILENO;
    }
    return place.descriptor() >= 0 ? ::fcntl(place.descriptor(), F_DUPFD_CLOEXEC, 3)
                                   : ::open(place.file().c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

} // namespace

PartialFile::PartialFile(OutputPlace place, int descriptor)
    : x_place{std::move(place)}, x_descriptor{descriptor}
{
}

PartialFile::PartialFile(PartialFile&& other) noexcept
    : x_place{std::move(other.x_place)}, x_partial{std::exchange(other.x_partial, {})},
      x_descriptor{std::exchange(other.x_descriptor, -1)}, x_failure{std::move(other.x_failure)}
{
}

PartialFile::~PartialFile()
{
    close_descriptor();
    if (!x_partial.empty()) {
        ::unlink(x_partial.c_str());
    }
}

Expected<PartialFile> PartialFile::create(const OutputPlace& place, bool has_path)
{
    if (!place.is_stream()) {
        return create_file(place, has_path);
    }
    PartialFile stream{place, open_stream(place)};
    if (stream.x_descriptor < 0) {
        return place.cannot_write(std::strerror(errno));
    }
    if (place.kind() == OutputKind::Binary && ::isatty(stream.x_descriptor) != 0) {
        return place.cannot_write("it is a terminal, and this form is no text; name a file with "
                                  "-o, or write it to a pipe");
    }
    return stream;
}

Expected<PartialFile> PartialFile::create_file(const OutputPlace& place, bool has_path)
{
    struct stat status = {};
    const bool exists = ::stat(place.file().c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        return place.cannot_write("it is a directory; name a file");
    }
    if (exists && ::access(place.file().c_str(), W_OK) != 0) {
        return place.cannot_write(std::strerror(errno));
    }
    PartialFile file{place, -1};
    const mode_t mode = mode_for(exists, status);
    if ((has_path || !file.open_unnamed(mode)) && !file.open_named(mode)) {
        return place.cannot_write(std::strerror(errno));
    }
    if (exists && (status.st_uid != ::geteuid() || status.st_gid != ::getegid())) {
        // It stays whose it was; who may not give files away becomes their owner.
        [[maybe_unused]] const int given =
            ::fchown(file.x_descriptor, status.st_uid, status.st_gid);
    }
    return file;
}

bool PartialFile::open_unnamed(unsigned mode)
{
    if (::access("/proc/self/fd", X_OK) != 0) {
        return false; // by which it gets a name
    }
    const std::string folder = x_place.file().parent_path().string();
    x_descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (x_descriptor < 0) {
        return false;
    }
    [[maybe_unused]] const int changed = ::fchmod(x_descriptor, mode);
    return true;
}

bool PartialFile::open_named(unsigned mode)
{
    std::string name = x_place.file().string() + ".partial-XXXXXX";
    x_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (x_descriptor < 0) {
        return false;
    }
    x_partial = std::move(name);
    [[maybe_unused]] const int changed = ::fchmod(x_descriptor, mode); // mkostemp() gives 0600
    return true;
}

void PartialFile::write(std::string_view bytes)
{
    while (!bytes.empty() && !x_failure) {
        const ssize_t written = ::write(x_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            fail(std::strerror(errno));
        } else if (written > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
}

void PartialFile::fail(std::string reason)
{
    if (!x_failure) {
        x_failure = std::move(reason);
    }
}

/// linkat() replaces nothing, so a file without a name gets one that is free before its own.
void PartialFile::give_name()
{
    const std::string open_file = "/proc/self/fd/" + std::to_string(x_descriptor);
    for (unsigned number = 0;; ++number) {
        std::string name = x_place.file().string() + ".partial-" + std::to_string(::getpid()) +
                           "-" + std::to_string(number);
        if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
            x_partial = std::move(name);
            return;
        }
        if (errno != EEXIST) {
            fail(std::strerror(errno));
            return;
        }
    }
}

Expected<void> PartialFile::finish()
{
    if (!is_stream() && !x_failure) {
        if (x_partial.empty()) {
            give_name();
        }
        if (::close(std::exchange(x_descriptor, -1)) != 0) {
            fail(std::strerror(errno));
        }
        if (!x_failure && std::rename(x_partial.c_str(), x_place.file().c_str()) != 0) {
            fail(std::strerror(errno));
        }
        if (!x_failure) {
            x_partial.clear();
        }
    }
    if (x_failure) {
        return x_place.cannot_write(*x_failure);
    }
    return {};
}

void PartialFile::close_descriptor()
{
    if (x_descriptor >= 0 && x_descriptor != STDOUT_FILENO) {
        ::close(x_descriptor);
    }
    x_descriptor = -1;
}

} // namespace lttng_gpu::report
