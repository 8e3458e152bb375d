// SPDX-License-Identifier: MIT
//
// The recorded command: a child in the process group of record, with the same terminal
// and files, so that it can read and write and Ctrl-C and Ctrl-Z reach it as without
// record. It gets the signal settings from before record changed them. As another user it
// has a terminal of its own (own_terminal.hpp), with the same effect.
#pragma once

#include "api_layers.hpp"
#include "own_terminal.hpp"
#include "signals.hpp"
#include "tool.hpp"
#include "user.hpp"

#include <optional>
#include <sys/types.h>

namespace lttng_gpu::record {

class Command {
public:
    /// As `user`, if there is one. An error means that it could not be started; `code` is then 126
    /// or 127.
    static Expected<Command> start(const std::vector<std::string>& words,
                                   const std::vector<Setting>& settings,
                                   const EarlierSignals& earlier, const std::optional<User>& user,
                                   int& code);

    pid_t pid() const { return m_pid; }
    /// Its exit code, 128 + number when a signal ended it; empty while it runs.
    std::optional<int> poll();
    void send(int signal) const { kill(m_pid, signal); }
    /// That record got from its terminal, or with its end.
    void pass_on(int signal) const
    {
        if (m_terminal) {
            kill(-m_pid, signal); // else it got it, too
        }
    }

private:
    Command(pid_t pid, pid_t child, std::optional<OwnTerminal> terminal)
        : m_pid{pid}, m_child{child}, m_terminal{std::move(terminal)}
    {
    }

    pid_t m_pid;
    pid_t m_child; // itself, or who leads its session and ends with its code
    std::optional<OwnTerminal> m_terminal;
    std::optional<int> m_code;
};

} // namespace lttng_gpu::record
