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
    watch.x_cpus = online_cpus();
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
        x_daemons.push_back({program_name(pid), pid, std::move(process)});
    }
}

std::string DaemonWatch::find_death() const
{
    for (const Daemon& daemon : x_daemons) {
        if (await_end(daemon.process.get(), std::chrono::milliseconds{0})) {
            const std::string cpus = note_on_cpus_that_came(x_cpus, online_cpus());
            return fmt::format("LTTng's daemon {} (process {}) has died{}{}", daemon.name,
                               daemon.pid, cpus.empty() ? "" : "; ", cpus);
        }
    }
    return {};
}

} // namespace lttng_gpu::record
