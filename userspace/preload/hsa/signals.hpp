// SPDX-License-Identifier: MIT
//
// Completion signals of packets whose times are wanted. The device writes when it began and ended a
// packet into the packet's completion signal (amd_signal_t), and there they stand until the program
// uses the signal again. So the layer reads them when the program has seen the signal change, and
// before it changes or destroys it. Nothing is put in place of the program's signal.
#pragma once

#include "hsa_headers.hpp"

namespace lttng_gpu::hsa {

/// So many signals are expected to change: while there are any, functions that change signals are
/// watched.
extern int expected_signals;

struct Expected {
    uint64_t queue;
    uint64_t command;
    hsa_agent_t agent;
};

/// What a signal shows before its packet is handed over.
struct SignalState {
    int64_t value;
    uint64_t end; ///< of the packet that it was used for before
};

SignalState state_of(hsa_signal_t signal);

/// Of several packets with one signal only the last one's times stay in it. False without memory.
bool expect_signal(hsa_signal_t signal, const Expected& expected, SignalState before);

/// Writes the times if the packet is complete.
void signal_is_seen(hsa_signal_t signal);
/// Of all.
void see_all_signals();
/// Likewise of one; if it is not complete, its times will never be known.
void signal_ends(hsa_signal_t signal);
/// The number of the packet that will change it last; 0: none that is known.
uint64_t command_of(hsa_signal_t signal);

/// Whose times are not known is counted; asks nothing of the runtime.
void give_signals_up();
/// In the child of fork(): the packets are the parent's.
void forget_signals();
void lock_signals();
void unlock_signals();

} // namespace lttng_gpu::hsa
