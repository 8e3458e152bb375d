// SPDX-License-Identifier: MIT
//
// A terminal of its own for a command that runs as somebody else than record. On root's terminal it
// could type for root (ioctl TIOCSTI), paste (TIOCLINUX) and read what root types later, as sudo's
// use_pty and su --pty say. The command leads a job in a session of its own; a process of ours
// leads that session, so that the job can be stopped and go on; another one copies bytes. What of
// its input and output is no terminal is the command's as it is.
#pragma once

#include "../correlate/base/expected.hpp"
#include "descriptor.hpp"
#include "user.hpp"

#include <array>
#include <optional>

namespace lttng_gpu::record {

class OwnTerminal {
public:
    /// Nothing where there is no terminal that the command could share.
    static Expected<std::optional<OwnTerminal>> make(const User& user);

    OwnTerminal(OwnTerminal&&) = default;
    OwnTerminal& operator=(OwnTerminal&&) = delete;
    ~OwnTerminal();

    /// In a child of record: it leads the session, and returns in a child of its own, which is to
    /// become the command and still has to set its mask of signals. `tell` gets that one's number,
    /// or the negative error, in the leader.
    template <typename Tell> void enter(const Tell& tell)
    {
        const pid_t command = fork_command();
        if (command != 0) {
            tell(command);
            lead(command);
        }
    }
    /// In record, when the command is about to run. Notes go to its terminal as before.
    void begin();
    /// When the leader has ended.
    void end();

private:
    OwnTerminal() = default;

    pid_t fork_command();
    [[noreturn]] void lead(pid_t command);
    void relay(Descriptor& record);

    std::array<bool, 3> m_is_terminal{}; // input, output, errors
    bool m_is_in_foreground = false;     // the command, in its terminal
    Descriptor m_terminal;               // root's
    Descriptor m_ours;                   // of the command's terminal
    Descriptor m_commands;
    Descriptor m_leader; // two ends of a socket
    Descriptor m_relay;
    Descriptor m_tie;    // a pipe to the relay, closed when record leaves the command alone
    Descriptor m_errors; // standard error as it was
    pid_t m_relay_pid = 0;
};

} // namespace lttng_gpu::record
