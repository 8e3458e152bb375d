// SPDX-License-Identifier: MIT
//
// What the two processes of an own terminal tell each other: who copies bytes (terminal_relay) and
// who leads the command's session (own_terminal).
#pragma once

#include <cstdint>

namespace lttng_gpu::record {

/// By the leader of the session.
struct CommandState {
    enum class Kind : std::uint8_t { Stopped, Ended };
    Kind kind = Kind::Ended;
    int signal = 0;        // that stopped it
    unsigned answered = 0; // of the wishes to go on, so that an old stop is not taken for a new one
};

/// To the leader of the session.
enum class TerminalWish : char {
    GoOnInForeground = 'f',
    GoOnInBackground = 'b',
    Stop = 'z',
};

} // namespace lttng_gpu::record
