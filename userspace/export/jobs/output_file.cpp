// SPDX-License-Identifier: MIT
//
// See output_file.hpp.
#include "output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace lttng_gpu::exporting {
namespace {

// File systems take large pieces in larger units, which costs the kernel less.
constexpr std::size_t buffer_size = 1U << 19U;

Failure cannot_write(const std::string& place, const std::string& reason)
{
    return Failure{{ErrorKind::Output,
                    "cannot write " + (place.empty() ? "standard output" : place) + ": " + reason}};
}

/// mkstemp() makes files that only their owner may read; others are made as the umask says.
void set_usual_mode(int descriptor)
{
    const mode_t mask = ::umask(0);
    ::umask(mask);
    [[maybe_unused]] const int changed = ::fchmod(descriptor, 0666 & ~mask);
}

} // namespace

OutputFile::OutputFile(std::string place, std::string partial, int descriptor, bool is_stream)
    : x_place{std::move(place)}, x_partial{std::move(partial)}, x_descriptor{descriptor},
      x_is_stream{is_stream}, x_buffer(buffer_size)
{
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : x_place{std::move(other.x_place)}, x_partial{std::exchange(other.x_partial, {})},
      x_descriptor{std::exchange(other.x_descriptor, -1)}, x_is_stream{other.x_is_stream},
      x_buffer{std::move(other.x_buffer)}, x_used{other.x_used}, x_failure{
                                                                     std::move(other.x_failure)}
{
}

OutputFile::~OutputFile()
{
    close_descriptor();
    if (!x_partial.empty()) {
        ::unlink(x_partial.c_str());
    }
}

Expected<OutputFile> OutputFile::create(const std::string& place)
{
    if (place.empty()) {
        return OutputFile{place, {}, STDOUT_FILENO, true};
    }
    struct stat status = {};
    const bool exists = ::stat(place.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        return cannot_write(place, "it is a directory; name a file with -o");
    }
    if (exists && !S_ISREG(status.st_mode)) {
        const int descriptor = ::open(place.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor < 0) {
            return cannot_write(place, std::strerror(errno));
        }
        return OutputFile{place, {}, descriptor, true};
    }
    if (exists && ::access(place.c_str(), W_OK) != 0) {
        return cannot_write(place, std::strerror(errno));
    }
    std::string partial = place + ".partial-XXXXXX";
    const int descriptor = ::mkostemp(partial.data(), O_CLOEXEC);
    if (descriptor < 0) {
        return cannot_write(place, std::strerror(errno));
    }
    set_usual_mode(descriptor);
    return OutputFile{place, std::move(partial), descriptor, false};
}

void OutputFile::write(std::string_view text)
{
    if (x_buffer.size() - x_used < text.size()) {
        flush();
        if (text.size() > x_buffer.size()) {
            write_out(text.data(), text.size());
            return;
        }
    }
    std::memcpy(x_buffer.data() + x_used, text.data(), text.size());
    x_used += text.size();
}

void OutputFile::fail(std::string reason)
{
    if (!x_failure) {
        x_failure = std::move(reason);
    }
}

Expected<void> OutputFile::finish()
{
    flush();
    if (!x_is_stream && !x_failure && ::close(std::exchange(x_descriptor, -1)) != 0) {
        fail(std::strerror(errno));
    }
    if (!x_failure && !x_partial.empty()) {
        if (std::rename(x_partial.c_str(), x_place.c_str()) == 0) {
            x_partial.clear();
        } else {
            fail(std::strerror(errno));
        }
    }
    if (x_failure) {
        return cannot_write(x_place, *x_failure);
    }
    return {};
}

void OutputFile::flush()
{
    write_out(x_buffer.data(), x_used);
    x_used = 0;
}

void OutputFile::write_out(const char* begin, std::size_t size)
{
    while (size > 0 && !x_failure) {
        const ssize_t written = ::write(x_descriptor, begin, size);
        if (written < 0 && errno != EINTR) {
            fail(std::strerror(errno));
        } else if (written > 0) {
            begin += written;
            size -= static_cast<std::size_t>(written);
        }
    }
}

void OutputFile::close_descriptor()
{
    if (x_descriptor >= 0 && x_descriptor != STDOUT_FILENO) {
        ::close(x_descriptor);
    }
    x_descriptor = -1;
}

} // namespace lttng_gpu::exporting
