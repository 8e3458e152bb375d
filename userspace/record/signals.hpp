// SPDX-License-Identifier: MIT
//
// The signals that record waits for, read from a descriptor instead of being handled:
// nothing is interrupted half-way. Those that were ignored when record began (nohup)
// stay ignored.
#pragma once

#include "descriptor.hpp"

#include <chrono>
#include <csignal>
#include <optional>

namespace lttng_gpu::record {

/// Children can be waited for while this lives: a process that was started with SIGCHLD ignored
/// does not get their exit codes, and every tool would seem to have succeeded.
class AwaitedChildren {
public:
    AwaitedChildren() : m_earlier{std::signal(SIGCHLD, SIG_DFL)} {}
    AwaitedChildren(const AwaitedChildren&) = delete;
    AwaitedChildren& operator=(const AwaitedChildren&) = delete;
    ~AwaitedChildren() { std::signal(SIGCHLD, m_earlier); }

    bool were_ignored() const { return m_earlier == SIG_IGN; }

private:
    void (*m_earlier)(int);
};

/// The settings from before record changed them; the command gets them.
struct EarlierSignals {
    sigset_t mask{};
    bool are_children_ignored = false;
};

struct ReceivedSignal {
    int number = 0;
    bool is_from_terminal = false; // or of the kernel: the command got it, too
};

class Signals {
public:
    Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;
    ~Signals();

    /// The next signal, or nothing after that time.
    std::optional<ReceivedSignal> wait(std::chrono::milliseconds most);
    const EarlierSignals& earlier() const { return m_earlier; }

private:
    AwaitedChildren m_children;
    EarlierSignals m_earlier;
    Descriptor m_descriptor;
};

} // namespace lttng_gpu::record
