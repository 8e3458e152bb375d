// SPDX-License-Identifier: MIT
//
// See daemon_time.hpp.
#include "daemon_time.hpp"

#include "session_daemon.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>

namespace lttng_gpu::record {
namespace fs = std::filesystem;
namespace {

template <typename Function> void for_each_thread(const std::vector<int>& processes, Function use)
{
    std::error_code error;
    for (const int process : processes) {
        // A process that has ended has no threads.
        for (const auto& thread :
             fs::directory_iterator{fmt::format("/proc/{}/task", process), error}) {
            use(thread.path());
        }
    }
}

/// "running waiting slices", the first two in ns.
std::chrono::nanoseconds spent_by(const fs::path& thread)
{
    std::ifstream file{thread / "schedstat"};
    std::int64_t running = 0;
    std::int64_t waiting = 0;
    file >> running >> waiting;
    return std::chrono::nanoseconds{file ? running + waiting : 0};
}

/// The letter behind the name, which is in brackets and may have any letters itself.
char state_of(const fs::path& thread)
{
    std::ifstream file{thread / "stat"};
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(')');
    return name_end == std::string::npos || name_end + 2 >= line.size() ? '?' : line[name_end + 2];
}

} // namespace

DaemonTime DaemonTime::of_daemons(const Notes& notes)
{
    std::vector<int> processes;
    if (const int daemon = pid_of_daemon(notes); daemon != 0) {
        processes = consumers_of(daemon);
        processes.push_back(daemon);
    }
    return DaemonTime{std::move(processes)};
}

std::chrono::nanoseconds DaemonTime::spent() const
{
    std::chrono::nanoseconds sum{0};
    for_each_thread(m_processes, [&](const fs::path& thread) { sum += spent_by(thread); });
    return sum;
}

bool DaemonTime::is_active() const
{
    bool is_one_active = false;
    for_each_thread(m_processes, [&](const fs::path& thread) {
        const char state = state_of(thread);
        is_one_active = is_one_active || state == 'R' || state == 'D';
    });
    return is_one_active;
}

} // namespace lttng_gpu::record
