// SPDX-License-Identifier: MIT
//
// The end of a session, also when LTTng waits for what never comes.
#pragma once

#include "disk_space.hpp"
#include "notes.hpp"
#include "session.hpp"
#include "shared_buffers.hpp"

namespace lttng_gpu::record {

struct SessionEnd {
    bool is_interrupted = false; // a signal came before all was written; to be noted as a loss
    bool is_stuck = false; // the consumer daemon waits for a buffer, and will not end by itself
    std::string shortage;  // why LTTng may not have written all; empty: it had room
};

/// Stops and destroys it. Everything recorded is written when this returns, also what LTTng does
/// not read (see shared_buffers.hpp); a note says what may be missing. `is_cause_told`: the user
/// knows why buffers may be left unread, and streams may end in a part of a packet. `disk`: what is
/// kept back is released when it is needed. `notes`: which daemon is ours.
Expected<SessionEnd> end_session(Tool& tool, const SessionPlan& plan, const SharedBuffers& buffers,
                                 DiskSpace& disk, const Notes& notes, bool is_cause_told);

} // namespace lttng_gpu::record
