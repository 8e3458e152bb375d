// SPDX-License-Identifier: MIT
//
// See signals.hpp.
#include "signals.hpp"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/signalfd.h>

namespace lttng_gpu::record {

Signals::Signals()
{
    m_earlier.are_children_ignored = m_children.were_ignored();
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGCHLD);
    for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1}) {
        struct sigaction action {};
        sigaction(number, nullptr, &action);
        if (action.sa_handler != SIG_IGN) {
            sigaddset(&ours, number);
        }
    }
    sigprocmask(SIG_BLOCK, &ours, &m_earlier.mask);
    m_descriptor = Descriptor{signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK)};
}

Signals::~Signals()
{
    while (wait(std::chrono::milliseconds{0})) {
        // came while nobody could act on it; unblocked it would end us now
    }
    sigprocmask(SIG_SETMASK, &m_earlier.mask, nullptr);
}

std::optional<ReceivedSignal> Signals::wait(std::chrono::milliseconds most)
{
    const auto end = std::chrono::steady_clock::now() + most;
    while (true) {
        signalfd_siginfo info{};
        if (read(m_descriptor.get(), &info, sizeof info) == sizeof info) {
            return ReceivedSignal{static_cast<int>(info.ssi_signo), info.ssi_code > 0};
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            end - std::chrono::steady_clock::now());
        if (left.count() <= 0) {
            return {};
        }
        pollfd entry{m_descriptor.get(), POLLIN, 0};
        poll(&entry, 1, static_cast<int>(left.count()));
    }
}

} // namespace lttng_gpu::record
