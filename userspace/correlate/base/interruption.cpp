// SPDX-License-Identifier: MIT
//
// See interruption.hpp. A signal handler reaches nothing but what is global.
#include "interruption.hpp"

#include <atomic>

namespace lttng_gpu {
namespace {

std::atomic<int> noted_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void note(int number)
{
    noted_signal = number;
}

} // namespace

Interruption::Interruption(Purpose purpose) : m_purpose{purpose}
{
    noted_signal = 0;
    struct sigaction action {};
    ::sigemptyset(&action.sa_mask);
    action.sa_handler = note;
    action.sa_flags = purpose == Purpose::StopReading ? static_cast<int>(SA_RESETHAND) : 0;
    for (std::size_t index = 0; index < signals.size(); ++index) {
        ::sigaction(signals[index], nullptr, &m_before[index]);
        if (takes(signals[index]) && m_before[index].sa_handler != SIG_IGN) { // nohup
            ::sigaction(signals[index], &action, nullptr);
        }
    }
}

Interruption::~Interruption()
{
    for (std::size_t index = 0; index < signals.size(); ++index) {
        ::sigaction(signals[index], &m_before[index], nullptr);
    }
    if (m_purpose == Purpose::TidyUp && noted_signal != 0) {
        static_cast<void>(std::raise(noted_signal));
    }
}

bool Interruption::has_come()
{
    return noted_signal != 0;
}

Failure interrupted()
{
    return Failure{{ErrorKind::Output, "interrupted; nothing was written"}};
}

} // namespace lttng_gpu
