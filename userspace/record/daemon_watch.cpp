// SPDX-License-Identifier: MIT
//
// See daemon_watch.hpp.
#include "daemon_watch.hpp"

#include "cpus.hpp"
#include "session_daemon.hpp"
#include "tool.hpp"

#include <chrono>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lttng_gpu::record {

DaemonWatch DaemonWatch::begin(const Notes& notes)
{
    DaemonWatch watch;
    watch.m_cpus = online_cpus();
    if (const int daemon = pid_of_daemon(notes); daemon != 0) {
        watch.add(daemon);
        for (const int consumer : consumers_of(daemon)) {
            watch.add(consumer);
        }
    }
    return watch;
}

void DaemonWatch::add(int pid)
{
    Descriptor process{static_cast<int>(syscall(SYS_pidfd_open, pid, 0))};
    if (process) {
        m_daemons.push_back({program_name(pid), pid, std::move(process), false});
    }
}

bool DaemonWatch::has_died(const Daemon& daemon)
{
    return await_end(daemon.process.get(), std::chrono::milliseconds{0});
}

std::string DaemonWatch::text_of(const Daemon& daemon)
{
    return fmt::format("LTTng's daemon {} (process {}) has died", daemon.name, daemon.pid);
}

std::string DaemonWatch::find_death()
{
    for (Daemon& daemon : m_daemons) {
        if (has_died(daemon)) {
            daemon.is_told = true;
            const std::string cpus = note_on_cpus_that_came(m_cpus, online_cpus());
            return text_of(daemon) + (cpus.empty() ? "" : "; ") + cpus;
        }
    }
    return {};
}

std::string DaemonWatch::find_later_death() const
{
    const bool has_session_daemon =
        !m_daemons.empty() && m_daemons.front().name.starts_with("lttng-sessiond");
    if (!has_session_daemon || m_daemons.front().is_told || !has_died(m_daemons.front())) {
        return {};
    }
    return text_of(m_daemons.front()) + ", too";
}

} // namespace lttng_gpu::record
