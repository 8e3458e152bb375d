// SPDX-License-Identifier: MIT
//
// SIGINT, SIGTERM and SIGHUP ask the program to end, instead of ending it. To be made before other
// threads begin, which inherit that.
#pragma once

#include <atomic>
#include <csignal>
#include <thread>

namespace lttng_gpu::cli {

class EndSignals {
public:
    EndSignals();
    EndSignals(const EndSignals&) = delete;
    EndSignals& operator=(const EndSignals&) = delete;
    ~EndSignals();

    bool have_come() const { return m_have_come; }
    void wait() const { m_have_come.wait(false); }

private:
    sigset_t m_before{};
    std::atomic<bool> m_have_come = false;
    std::thread m_thread;
};

} // namespace lttng_gpu::cli
