// SPDX-License-Identifier: MIT
//
// LTTng's session daemon: one that runs is used and left alone; else one is started,
// and stopped again when no recording and nobody else needs it.
#pragma once

#include "notes.hpp"
#include "tool.hpp"

namespace lttng_gpu::record {

bool is_daemon_running();

/// Under the notes' lock. With a tracer of the kernel only when that is there.
Expected<void> start_daemon_if_none(Tool& tool, const Notes& notes, bool has_kernel_tracer);

/// Stops the daemon that a recording has started, unless somebody has sessions in it or a
/// recording is still to be undone.
/// Under the notes' lock.
void stop_daemon_if_ours(Tool& tool, const Notes& notes);

/// Names of the daemon's sessions; without a daemon there are none.
Expected<std::vector<std::string>> list_sessions();
/// One of them is there, or nobody can tell.
bool may_exist(const std::vector<std::string>& sessions);

} // namespace lttng_gpu::record
