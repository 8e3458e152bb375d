// SPDX-License-Identifier: MIT
//
// See disk_space.hpp.
#include "disk_space.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace lttng_gpu::record {
namespace {

constexpr std::uint64_t megabyte = 1 << 20;
// Metadata, indexes, and a file system's own needs.
constexpr std::uint64_t always_needed = megabyte;
// What a packet needs beside its bytes: its index, and blocks of the file system.
constexpr std::uint64_t beside_packet = 64 << 10;
// More than LTTng writes in a second.
constexpr std::uint64_t most_bytes_per_millisecond = megabyte;
constexpr std::chrono::milliseconds shortest_pause{50};
constexpr std::chrono::milliseconds longest_pause{1000};

/// Free for this user, in bytes; for what does not tell: without end.
std::uint64_t free_bytes(const std::filesystem::path& folder)
{
    struct statvfs status {};
    if (statvfs(folder.c_str(), &status) != 0 || status.f_blocks == 0) {
        return ~std::uint64_t{0};
    }
    // Root may use what a file system keeps for it.
    const std::uint64_t blocks = geteuid() == 0 ? status.f_bfree : status.f_bavail;
    return blocks * status.f_frsize;
}

Descriptor make_nameless_file(const std::filesystem::path& folder)
{
    Descriptor file{open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)};
    if (!file) {
        std::string path = (folder / "reserve-XXXXXX").string();
        file = Descriptor{mkostemp(path.data(), O_CLOEXEC)};
        if (file) {
            unlink(path.c_str());
        }
    }
    return file;
}

bool is_full(int error)
{
    return error == ENOSPC || error == EDQUOT;
}

} // namespace

std::string size_text(std::uint64_t bytes)
{
    constexpr std::array<const char*, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
    auto number = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (number >= 1024 && unit + 1 < units.size()) {
        number /= 1024;
        ++unit;
    }
    return fmt::format("{:.3g} {}", number, units[unit]);
}

std::string shortage_of(const std::filesystem::path& folder)
{
    const std::uint64_t free = free_bytes(folder);
    return free >= always_needed ? ""
                                 : fmt::format("the file system of {} is nearly full ({} are free)",
                                               folder.string(), size_text(free));
}

Expected<DiskSpace> DiskSpace::reserve(const std::filesystem::path& folder, std::uint64_t unwritten,
                                       std::uint64_t packet)
{
    DiskSpace space;
    space.m_probe = packet + beside_packet;
    space.m_folder = folder;
    space.m_unwritten = unwritten + always_needed;
    space.m_least = space.m_unwritten;
    space.m_free = free_bytes(folder);
    const auto refuse = [&](const std::string& what) {
        return Failure{{ErrorKind::Output,
                        fmt::format("{} {}, and a recording with these buffers needs {}; choose "
                                    "another folder with -o, or smaller --buffers",
                                    folder.string(), what, size_text(3 * space.m_unwritten))}};
    };
    if (space.m_free < 3 * space.m_unwritten) {
        return refuse(fmt::format("has room for {}", size_text(space.m_free)));
    }
    for (Descriptor* const file : {&space.m_for_stop, &space.m_for_rest}) {
        *file = make_nameless_file(folder);
        if (!*file) {
            return Failure{{ErrorKind::Output, fmt::format("cannot write to {}: {}",
                                                           folder.string(), std::strerror(errno))}};
        }
        // Not posix_fallocate(): where this is not supported, it would write all those bytes.
        if (fallocate(file->get(), 0, 0, static_cast<off_t>(space.m_unwritten)) == 0) {
            continue;
        }
        if (is_full(errno)) {
            return refuse(fmt::format("has not enough room ({})", std::strerror(errno)));
        }
        *file = {};
        space.m_least += space.m_unwritten;
    }
    return space;
}

std::string DiskSpace::find_shortage()
{
    if (m_folder.empty()) {
        return {};
    }
    m_free = free_bytes(m_folder);
    if (m_free < m_least) {
        return fmt::format("the file system of {} is nearly full ({} are free)", m_folder.string(),
                           size_text(m_free));
    }
    return find_quota(m_for_stop);
}

std::string DiskSpace::find_shortage_at_end()
{
    if (m_folder.empty()) {
        return {};
    }
    const std::string shortage = shortage_of(m_folder);
    return shortage.empty() ? find_quota(m_for_stop ? m_for_stop : m_for_rest) : shortage;
}

std::string DiskSpace::find_quota(Descriptor& kept) const
{
    if (!kept) {
        return {};
    }
    const auto end = static_cast<off_t>(m_unwritten);
    if (fallocate(kept.get(), 0, end, static_cast<off_t>(m_probe)) != 0 && is_full(errno)) {
        return fmt::format("{} cannot become larger ({})", m_folder.string(), std::strerror(errno));
    }
    [[maybe_unused]] const int result = ftruncate(kept.get(), end);
    return {};
}

std::chrono::milliseconds DiskSpace::time_to_next() const
{
    if (m_folder.empty()) {
        return std::chrono::hours{24};
    }
    const std::uint64_t left = m_free - std::min(m_free, m_least);
    const std::chrono::milliseconds safe{
        std::min<std::uint64_t>(left / most_bytes_per_millisecond, 1000)};
    return std::clamp(safe, shortest_pause, longest_pause);
}

} // namespace lttng_gpu::record
