// SPDX-License-Identifier: MIT
//
// Makes LTTng read the buffers of a CPU that has gone offline. The consumer daemon of LTTng 2.16 is
// not told of what is in them, and `lttng stop` waits for ever (docs/kernel-notes.md).
#pragma once

#include "session.hpp"

#include <chrono>

namespace lttng_gpu::record {

/// For one end of a session.
class ReaderWakeup {
public:
    /// Both must outlive this.
    ReaderWakeup(Tool& tool, const SessionPlan& plan) : m_tool{tool}, m_plan{plan} {}

    /// To be called several times a second while `lttng stop` waits. Once, after a second, and only
    /// where the kernel is recorded and a CPU is offline, it makes and destroys a session without
    /// events. Each new stream makes the daemon look at all buffers.
    void look();

private:
    void wake();

    Tool& m_tool;
    const SessionPlan& m_plan;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    bool m_is_done = false;
};

/// The name of that session; `record --recover` destroys one that is left.
std::string reader_session_of(const std::string& session);

} // namespace lttng_gpu::record
