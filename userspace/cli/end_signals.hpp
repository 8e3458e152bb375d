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

    bool have_come() const { return x_have_come; }
    void wait() const { x_have_come.wait(false); }

private:
    sigset_t x_before{};
    std::atomic<bool> x_have_come = false;
    std::thread x_thread;
};

} // namespace lttng_gpu::cli
