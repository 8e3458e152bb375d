// SPDX-License-Identifier: MIT
//
// See cpus.hpp.
#include "cpus.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <vector>

namespace lttng_gpu::record {
namespace {

/// More than any kernel has.
constexpr unsigned most_cpus = 1U << 16;

std::set<unsigned> cpus_in(const char* path)
{
    std::ifstream file{path};
    std::string line;
    std::getline(file, line);
    return read_cpu_list(line);
}

} // namespace

std::set<unsigned> read_cpu_list(std::string_view text)
{
    std::set<unsigned> cpus;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        unsigned first = 0;
        auto [after, error] = std::from_chars(at, end, first);
        if (error != std::errc{}) {
            break;
        }
        unsigned last = first;
        if (after != end && *after == '-') {
            const auto range = std::from_chars(after + 1, end, last);
            if (range.ec != std::errc{}) {
                break;
            }
            after = range.ptr;
        }
        for (unsigned cpu = first; cpu <= last && cpu < most_cpus; ++cpu) {
            cpus.insert(cpu);
        }
        if (after == end || *after != ',') {
            break;
        }
        at = after + 1;
    }
    return cpus;
}

std::set<unsigned> online_cpus()
{
    return cpus_in("/sys/devices/system/cpu/online");
}

std::set<unsigned> present_cpus()
{
    return cpus_in("/sys/devices/system/cpu/present");
}

std::string note_on_cpus_that_came(const std::set<unsigned>& before,
                                   const std::set<unsigned>& after)
{
    std::vector<unsigned> came;
    std::ranges::set_difference(after, before, std::back_inserter(came));
    if (before.empty() || came.empty()) {
        return {};
    }
    return fmt::format("CPU {} has come online since the recording began, at which the session "
                       "daemon of LTTng 2.16 dies",
                       fmt::join(came, ", "));
}

} // namespace lttng_gpu::record
