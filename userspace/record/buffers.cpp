// SPDX-License-Identifier: MIT
//
// See buffers.hpp.
#include "buffers.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <fstream>
#include <string>
#include <sys/statvfs.h>
#include <unistd.h>

namespace lttng_gpu::record {
namespace {

constexpr std::uint64_t kilobyte = 1024;
constexpr std::uint64_t megabyte = 1024 * kilobyte;

Buffers divided(std::uint64_t bytes, std::uint32_t count, const Memory& memory)
{
    return {std::max(std::bit_floor(bytes / count), memory.page), count};
}

/// What each CPU may have when all together take one part in `part` of the memory, and one
/// in a quarter of that of /dev/shm.
std::uint64_t share(const Memory& memory, std::uint64_t part, std::uint64_t least,
                    std::uint64_t most)
{
    const std::uint64_t all = std::min(memory.available / part, memory.shared / (part / 4));
    return std::clamp(all / std::max(memory.cpus, 1U), least, most);
}

/// "0-3,8": the highest and one.
std::uint32_t possible_cpus()
{
    std::ifstream file{"/sys/devices/system/cpu/possible"};
    std::string text;
    file >> text;
    const std::size_t last = text.find_last_not_of("0123456789");
    const std::size_t begin = last == std::string::npos ? 0 : last + 1;
    std::uint32_t highest = 0;
    const char* end = text.data() + text.size();
    if (std::from_chars(text.data() + begin, end, highest).ptr != end || text.empty()) {
        return static_cast<std::uint32_t>(std::max(sysconf(_SC_NPROCESSORS_CONF), 1L));
    }
    return highest + 1;
}

} // namespace

Memory memory_of_machine()
{
    Memory memory;
    memory.cpus = possible_cpus();
    memory.page = static_cast<std::uint64_t>(std::max(sysconf(_SC_PAGESIZE), 4096L));
    std::ifstream file{"/proc/meminfo"};
    std::string name;
    std::uint64_t number = 0;
    for (std::string unit; file >> name >> number && std::getline(file, unit);) {
        if (name == "MemAvailable:") {
            memory.available = number * kilobyte;
        }
    }
    struct statvfs shared {};
    if (statvfs("/dev/shm", &shared) == 0) {
        memory.shared = std::uint64_t{shared.f_bavail} * shared.f_frsize;
    }
    return memory;
}

Buffers streaming_buffers(const Memory& memory, std::optional<std::uint64_t> wanted)
{
    return divided(wanted.value_or(share(memory, 64, 64 * kilobyte, 4 * megabyte)), 4, memory);
}

Buffers flight_recorder_buffers(const Memory& memory, std::optional<std::uint64_t> wanted)
{
    return divided(wanted.value_or(share(memory, 16, 256 * kilobyte, 16 * megabyte)), 16, memory);
}

Buffers watch_buffers(const Memory& memory)
{
    return divided(share(memory, 256, 64 * kilobyte, megabyte), 16, memory);
}

} // namespace lttng_gpu::record
