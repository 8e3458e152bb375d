// SPDX-License-Identifier: MIT
//
// Whether LTTng's daemons had the chance to run: on a busy machine they wait for a processor, and
// what they have not done yet looks as if they never would.
#pragma once

#include "notes.hpp"

#include <chrono>
#include <vector>

namespace lttng_gpu::record {

class DaemonTime {
public:
    /// Of the session daemon that record talks to and its consumer daemons, which run now.
    static DaemonTime of_daemons(const Notes& notes);
    /// Of these processes.
    explicit DaemonTime(std::vector<int> processes) : m_processes{std::move(processes)} {}

    /// How long each thread ran, or waited for a processor, since it began
    /// (/proc/PID/task/TID/schedstat; Linux, Documentation/scheduler/sched-stats.rst), in sum.
    std::chrono::nanoseconds spent() const;
    /// A thread runs, waits for a processor, or for a disk, right now.
    bool is_active() const;
    const std::vector<int>& processes() const { return m_processes; }

private:
    std::vector<int> m_processes;
};

} // namespace lttng_gpu::record
