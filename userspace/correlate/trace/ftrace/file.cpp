// SPDX-License-Identifier: MIT
//
// See file.hpp.
#include "file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace lttng_gpu::trace::ftrace {
namespace {

Failure failure(const std::filesystem::path& path, int error)
{
    return Failure{{ErrorKind::UnreadableTrace,
                    path.string() + ": " + std::generic_category().message(error)}};
}

} // namespace

Expected<File> File::open(const std::filesystem::path& path)
{
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status = {};
    if (descriptor < 0) {
        return failure(path, errno);
    }
    File file{path, descriptor, 0};
    if (::fstat(descriptor, &status) != 0) {
        return failure(path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return failure(path, S_ISDIR(status.st_mode) ? EISDIR : EINVAL);
    }
    file.m_size = static_cast<std::uint64_t>(status.st_size);
    return file;
}

File::File(File&& other) noexcept
    : m_path{std::move(other.m_path)},
      m_descriptor{std::exchange(other.m_descriptor, -1)}, m_size{other.m_size}
{
}

File::~File()
{
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

Expected<std::size_t> File::read(std::span<std::byte> into)
{
    for (;;) {
        const ssize_t got = ::read(m_descriptor, into.data(), into.size());
        if (got >= 0) {
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR) {
            return failure(m_path, errno);
        }
    }
}

Expected<std::size_t> File::read_at(std::uint64_t offset, std::span<std::byte> into) const
{
    std::size_t done = 0;
    while (done < into.size() && offset + done < m_size) {
        const ssize_t got = ::pread(m_descriptor, into.data() + done, into.size() - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0 && errno != EINTR) {
            return failure(m_path, errno);
        }
        if (got == 0) {
            break;
        }
        done += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    return done;
}

} // namespace lttng_gpu::trace::ftrace
