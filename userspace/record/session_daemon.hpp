// SPDX-License-Identifier: MIT
//
// LTTng's session daemon: a running one is used and not changed; else one is started,
// and stopped again when no recording and no other session needs it.
#pragma once

#include "notes.hpp"
#include "tool.hpp"

namespace lttng_gpu::record {

/// An error: it is not known, because `lttng` did not answer.
Expected<bool> is_daemon_running(Tool& tool);

/// Under the notes' lock. Traces the kernel only when the kernel tracer is installed.
/// `lttng_probes`: LTTng's own kernel probes that it loads, separated by commas; empty: all, some
/// forty modules, each of which takes its time to be loaded and unloaded.
Expected<void> start_daemon_if_none(Tool& tool, const Notes& notes, bool has_kernel_tracer,
                                    const std::string& lttng_probes);

enum class DaemonEnd {
    None,   // it is not ours, or others still need it
    Itself, // it has unloaded LTTng's modules
    Killed, // it may have left LTTng's modules
    Before, // the same, but a while ago
};

/// Stops the daemon that a recording has started, unless others have sessions in it or a
/// recording is still to be undone. Nothing of it is left when this returns.
/// Under the notes' lock.
/// When it is `stuck`, see SessionEnd, it gets little time before it is killed.
DaemonEnd stop_daemon_if_ours(Tool& tool, const Notes& notes, bool is_stuck = false);

/// The one that the `lttng` commands talk to; 0: not known.
int pid_of_daemon(const Notes& notes);
/// The consumer daemons that a session daemon has started.
std::vector<int> consumers_of(int daemon);
std::string program_name(int pid);

/// Names of the daemon's sessions; without a daemon there are none.
Expected<std::vector<std::string>> list_sessions(Tool& tool);
/// One of them exists, or it cannot be determined.
bool may_exist(Tool& tool, const std::vector<std::string>& sessions);

} // namespace lttng_gpu::record
