// SPDX-License-Identifier: MIT
#include "job_times.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <time.h>

namespace lttng_gpu::gputest {
namespace {

constexpr std::uint64_t ahead_ns = 60'000'000'000;

/// Columns of the log. A time has a lower and an upper bound; these are inside the execution.
constexpr std::size_t context_column = 2;
constexpr std::size_t seqno_column = 3;
constexpr std::size_t started_column = 13;
constexpr std::size_t completed_column = 14;

} // namespace

bool has_job_times()
{
    static const bool is_asked_for = std::getenv("GPUTEST_CL_TIMES") != nullptr;
    return is_asked_for;
}

std::uint64_t device_now()
{
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
           static_cast<std::uint64_t>(now.tv_nsec) + ahead_ns;
}

void JobLog::read()
{
    std::ifstream file{"/sys/kernel/debug/gputest/jobs"};
    std::string line;
    std::getline(file, line); // the header
    while (std::getline(file, line)) {
        std::vector<std::string> columns;
        std::istringstream text{line};
        for (std::string column; std::getline(text, column, ',');)
            columns.push_back(column);
        if (columns.size() <= completed_column)
            continue;
        const auto number = [&](std::size_t column) {
            return std::strtoull(columns[column].c_str(), nullptr, 10);
        };
        if (number(completed_column) != 0) {
            x_known[{number(context_column), number(seqno_column)}] = {
                number(started_column) + ahead_ns, number(completed_column) + ahead_ns};
        }
    }
}

std::optional<JobTimes> JobLog::find(const JobKey& job)
{
    const std::lock_guard lock(x_mutex);
    auto found = x_known.find(job);
    if (found == x_known.end()) {
        read();
        found = x_known.find(job);
    }
    return found == x_known.end() ? std::nullopt : std::optional{found->second};
}

} // namespace lttng_gpu::gputest
