// SPDX-License-Identifier: MIT
#include "device_times.hpp"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace lttng_gpu::gputest {
namespace {

// Columns of the log.
enum : std::size_t { Context = 2, Seqno = 3, StartedHigh = 13, CompletedLow = 14, Columns = 17 };

struct Execution {
    std::uint64_t started = 0;
    std::uint64_t completed = 0;
};

// The log ends with the job that was queued last.
std::pair<Execution, Execution> find(const JobName& first, const JobName& last)
{
    std::pair<Execution, Execution> found;
    std::ifstream log("/sys/kernel/debug/gputest/jobs");
    std::vector<std::string> words;
    for (std::string line; std::getline(log, line);) {
        words.clear();
        std::istringstream all(line);
        for (std::string word; std::getline(all, word, ',');)
            words.push_back(word);
        if (words.size() != Columns)
            continue;
        const auto number = [&](std::size_t column) {
            return std::strtoull(words[column].c_str(), nullptr, 10);
        };
        const JobName name{number(Context), number(Seqno)};
        const Execution execution{number(StartedHigh), number(CompletedLow)};
        if (name == first)
            found.first = execution;
        if (name == last)
            found.second = execution;
    }
    return found;
}

} // namespace

bool has_device_times()
{
    return std::getenv("GPUTEST_CL_TIMES") != nullptr;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> execution_of(const Share& share)
{
    const auto [first, last] = find(share.first, share.last);
    if (first.started == 0 || last.completed <= first.started || share.all_ns == 0)
        return {};
    const double length = static_cast<double>(last.completed - first.started);
    const auto at = [&](std::uint64_t part) {
        return first.started + static_cast<std::uint64_t>(length * static_cast<double>(part) /
                                                          static_cast<double>(share.all_ns));
    };
    return std::pair{at(share.begin_ns), at(share.end_ns)};
}

std::uint64_t monotonic_now()
{
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace lttng_gpu::gputest
