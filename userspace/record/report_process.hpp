// SPDX-License-Identifier: MIT
//
// Prints the report while record still ends daemons and unloads modules, which takes longer than
// to complete the trace. A process of its own, so that Ctrl-C ends the report and not the rest.
#pragma once

#include "signals.hpp"
#include "user.hpp"

#include <functional>
#include <sys/types.h>

namespace lttng_gpu::record {

class ReportProcess {
public:
    ReportProcess() = default;
    ReportProcess(const ReportProcess&) = delete;
    ReportProcess& operator=(const ReportProcess&) = delete;
    ~ReportProcess() { wait(); }

    /// Once. `print` runs in the process, as that user; without one (no memory), before this
    /// returns, but not for another user. It gets the signal settings from before record changed
    /// them, and ends with this process.
    void start(const EarlierSignals& earlier, const std::optional<User>& user,
               const std::function<void()>& print);
    /// Also when none was started.
    bool is_over();
    void wait();

private:
    pid_t m_pid = 0; // 0: none, or it has ended
};

} // namespace lttng_gpu::record
