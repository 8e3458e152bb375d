// SPDX-License-Identifier: MIT
//
// See end_signals.hpp.
#include "end_signals.hpp"

namespace lttng_gpu::cli {

EndSignals::EndSignals()
{
    sigset_t ends;
    sigemptyset(&ends);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        sigaddset(&ends, number);
    }
    pthread_sigmask(SIG_BLOCK, &ends, &x_before);
    x_thread = std::thread{[this, ends] {
        int number = 0;
        sigwait(&ends, &number);
        x_have_come = true;
        x_have_come.notify_all();
    }};
}

EndSignals::~EndSignals()
{
    if (!x_have_come) {
        pthread_kill(x_thread.native_handle(), SIGTERM);
    }
    x_thread.join();
    pthread_sigmask(SIG_SETMASK, &x_before, nullptr);
}

} // namespace lttng_gpu::cli
