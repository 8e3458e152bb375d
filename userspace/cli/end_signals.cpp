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
    pthread_sigmask(SIG_BLOCK, &ends, &m_before);
    m_thread = std::thread{[this, ends] {
        int number = 0;
        sigwait(&ends, &number);
        m_have_come = true;
        m_have_come.notify_all();
    }};
}

EndSignals::~EndSignals()
{
    if (!m_have_come) {
        pthread_kill(m_thread.native_handle(), SIGTERM);
    }
    m_thread.join();
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

} // namespace lttng_gpu::cli
