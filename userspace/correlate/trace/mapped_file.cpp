// SPDX-License-Identifier: MIT
//
// See mapped_file.hpp.
#include "mapped_file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 // Linux 5.14; older kernels refuse it and fault pages in
#endif

namespace lttng_gpu::trace {
namespace {

constexpr std::size_t page = 4096;

/// A process has 65530 mappings by default (vm.max_map_count), and its memory and threads need
/// some. So many files are mapped; of others the small ones are read.
constexpr std::size_t most_mapped_files = 32768;
constexpr std::size_t small_file = 1024 * 1024;
std::atomic<std::size_t> mapped_files = 0;

Failure unreadable(const std::filesystem::path& path)
{
    return Failure{
        {ErrorKind::UnreadableTrace, "cannot read " + path.string() + ": " + std::strerror(errno)}};
}

} // namespace

Expected<MappedFile> MappedFile::open(const std::filesystem::path& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) {
        return unreadable(path);
    }
    MappedFile mapped;
    mapped.m_path = path;
    struct stat status {};
    if (::fstat(file, &status) != 0) {
        auto failure = unreadable(path);
        ::close(file);
        return failure;
    }
    mapped.m_size = static_cast<std::size_t>(status.st_size);
    if (mapped.m_size > 0 && mapped.m_size <= small_file && mapped_files >= most_mapped_files) {
        if (!mapped.read(file)) {
            auto failure = unreadable(path);
            ::close(file);
            mapped.m_size = 0;
            return failure;
        }
    } else if (mapped.m_size > 0) {
        void* memory = ::mmap(nullptr, mapped.m_size, PROT_READ, MAP_SHARED, file, 0);
        if (memory == MAP_FAILED) {
            auto failure = unreadable(path);
            ::close(file);
            mapped.m_size = 0;
            return failure;
        }
        mapped.m_begin = static_cast<const std::uint8_t*>(memory);
        ++mapped_files;
    }
    ::close(file);
    return mapped;
}

bool MappedFile::read(int file)
{
    m_copy.resize(m_size);
    std::size_t done = 0;
    while (done < m_size) {
        const ssize_t count = ::read(file, m_copy.data() + done, m_size - done);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return false;
        }
        if (count == 0) {
            break; // it got shorter
        }
        done += static_cast<std::size_t>(count);
    }
    m_size = done;
    m_begin = m_copy.data();
    m_is_borrowed = true;
    return true;
}

MappedFile MappedFile::borrow(std::span<const std::uint8_t> bytes)
{
    MappedFile mapped;
    mapped.m_begin = bytes.data();
    mapped.m_size = bytes.size();
    mapped.m_is_borrowed = true;
    mapped.m_path = "memory";
    return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : m_begin{std::exchange(other.m_begin, nullptr)}, m_size{std::exchange(other.m_size, 0)},
      m_is_borrowed{other.m_is_borrowed}, m_copy{std::move(other.m_copy)}, m_path{std::move(
                                                                               other.m_path)}
{
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    std::swap(m_begin, other.m_begin);
    std::swap(m_size, other.m_size);
    std::swap(m_is_borrowed, other.m_is_borrowed);
    std::swap(m_copy, other.m_copy);
    std::swap(m_path, other.m_path);
    return *this;
}

MappedFile::~MappedFile()
{
    if (m_begin != nullptr && !m_is_borrowed) {
        ::munmap(const_cast<std::uint8_t*>(m_begin), m_size);
        --mapped_files;
    }
}

void MappedFile::will_need(std::size_t offset, std::size_t size) const
{
    const std::size_t begin = offset / page * page;
    const std::size_t end = std::min(offset + size, m_size);
    if (begin < end && !m_is_borrowed) {
        ::madvise(const_cast<std::uint8_t*>(m_begin) + begin, end - begin, MADV_POPULATE_READ);
    }
}

void MappedFile::drop(std::size_t offset, std::size_t size) const
{
    const std::size_t begin = (offset + page - 1) / page * page;
    const std::size_t end = std::min(offset + size, m_size) / page * page;
    if (begin < end && !m_is_borrowed) {
        ::madvise(const_cast<std::uint8_t*>(m_begin) + begin, end - begin, MADV_DONTNEED);
    }
}

} // namespace lttng_gpu::trace
