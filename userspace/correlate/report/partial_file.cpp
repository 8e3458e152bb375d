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
    : m_place{std::move(place)}, m_descriptor{descriptor}
{
}

PartialFile::PartialFile(PartialFile&& other) noexcept
    : m_place{std::move(other.m_place)}, m_partial{std::exchange(other.m_partial, {})},
      m_descriptor{std::exchange(other.m_descriptor, -1)}, m_failure{std::move(other.m_failure)}
{
}

PartialFile::~PartialFile()
{
    close_descriptor();
    if (!m_partial.empty()) {
        ::unlink(m_partial.c_str());
    }
}

Expected<PartialFile> PartialFile::create(const OutputPlace& place, bool has_path)
{
    if (!place.is_stream()) {
        return create_file(place, has_path);
    }
    PartialFile stream{place, open_stream(place)};
    if (stream.m_descriptor < 0) {
        return place.cannot_write(std::strerror(errno));
    }
    if (place.kind() == OutputKind::Binary && ::isatty(stream.m_descriptor) != 0) {
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
            ::fchown(file.m_descriptor, status.st_uid, status.st_gid);
    }
    return file;
}

bool PartialFile::open_unnamed(unsigned mode)
{
    if (::access("/proc/self/fd", X_OK) != 0) {
        return false; // by which it gets a name
    }
    const std::string folder = m_place.file().parent_path().string();
    m_descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    if (m_descriptor < 0) {
        return false;
    }
    [[maybe_unused]] const int changed = ::fchmod(m_descriptor, mode);
    return true;
}

bool PartialFile::open_named(unsigned mode)
{
    std::string name = m_place.file().string() + ".partial-XXXXXX";
    m_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (m_descriptor < 0) {
        return false;
    }
    m_partial = std::move(name);
    [[maybe_unused]] const int changed = ::fchmod(m_descriptor, mode); // mkostemp() gives 0600
    return true;
}

void PartialFile::write(std::string_view bytes)
{
    while (!bytes.empty() && !m_failure) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) {
            fail(std::strerror(errno));
        } else if (written > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
}

void PartialFile::fail(std::string reason)
{
    if (!m_failure) {
        m_failure = std::move(reason);
    }
}

/// linkat() replaces nothing, so a file without a name gets one that is free before its own.
void PartialFile::give_name()
{
    const std::string open_file = "/proc/self/fd/" + std::to_string(m_descriptor);
    for (unsigned number = 0;; ++number) {
        std::string name = m_place.file().string() + ".partial-" + std::to_string(::getpid()) +
                           "-" + std::to_string(number);
        if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
            m_partial = std::move(name);
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
    if (!is_stream() && !m_failure) {
        if (m_partial.empty()) {
            give_name();
        }
        if (::close(std::exchange(m_descriptor, -1)) != 0) {
            fail(std::strerror(errno));
        }
        if (!m_failure && std::rename(m_partial.c_str(), m_place.file().c_str()) != 0) {
            fail(std::strerror(errno));
        }
        if (!m_failure) {
            m_partial.clear();
        }
    }
    if (m_failure) {
        return m_place.cannot_write(*m_failure);
    }
    return {};
}

void PartialFile::close_descriptor()
{
    if (m_descriptor >= 0 && m_descriptor != STDOUT_FILENO) {
        ::close(m_descriptor);
    }
    m_descriptor = -1;
}

} // namespace lttng_gpu::report
