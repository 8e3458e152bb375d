// SPDX-License-Identifier: MIT
//
// The process that copies between root's terminal and the one that the command has for its own. It
// is a part of record's job, so that Ctrl-Z, fg and bg reach it as they reach record.
#pragma once

#include "descriptor.hpp"

#include <string>
#include <termios.h>

namespace lttng_gpu::record {

struct RelayEnds {
    Descriptor terminal; // root's
    Descriptor command;  // the other side of the command's terminal
    Descriptor leader;   // of its session; a socket
    Descriptor record;   // a pipe: at its end record cares for the command no more
};

/// The process's job has the terminal now. Without job control it always has.
bool is_in_foreground(int terminal);

class TerminalRelay {
public:
    /// The command begins as owner of its terminal: what is typed is for it.
    TerminalRelay(RelayEnds ends, bool is_reading);

    /// Until the command has ended and all that it wrote is shown; does not return.
    [[noreturn]] void run();

private:
    void wait();
    void take_signal();
    void take_state();
    void take_output();
    void take_input();
    void send_input();
    void suspend(int signal, bool is_told);
    void go_on();
    void begin_reading();
    void end_reading();
    void set_command_output(bool is_processed) const;
    void copy_size() const;
    void tell(char wish);
    [[noreturn]] void end();

    RelayEnds m_ends;
    Descriptor m_signals;
    termios m_modes{}; // of root's terminal, as they were
    bool m_has_modes = false;
    bool m_is_reading = false; // then its terminal is raw
    bool m_is_alone = false;   // record is gone
    bool m_is_dead = false;    // root's terminal
    unsigned m_wishes = 0;     // to go on
    std::string m_input;       // not taken by the command's terminal yet
};

} // namespace lttng_gpu::record
