// SPDX-License-Identifier: MIT
//
// Whether kernel events can be recorded here, and the modules that are needed for it.
#pragma once

#include "notes.hpp"
#include "tool.hpp"

#include <string>
#include <vector>

namespace lttng_gpu::record {

/// Why the kernel's GPU events cannot be recorded, and what to do; empty: according
/// to the checks of doctor, they can. Starts and loads nothing.
std::string why_no_kernel_events();

/// Loads the probes if they are not loaded, after noting it. Needs the daemon. Returns why
/// kernel events cannot be recorded although the checks passed; empty: they can. Under the
/// notes' lock.
std::string load_probes(Tool& tool, const Notes& notes);

/// Which of LTTng's own kernel probes (lttng-probe-NAME) have events of these patterns, separated
/// by commas; empty: not known. Without patterns, too, it is "sched": the events of GPUs are in
/// probes of ours.
std::string lttng_probes_with(const std::vector<std::string>& patterns);

/// Before a session daemon is started that loads LTTng's own modules: one that is killed does not
/// unload them.
Expected<void> note_modules_of_daemon(const Notes& notes);

/// What recordings share, unless one still runs: unloads the modules and stops the session daemon
/// that they have brought in. `stuck`: see SessionEnd. Under the notes' lock.
void undo_shared(Tool& tool, const Notes& notes, bool is_stuck);

} // namespace lttng_gpu::record
