// SPDX-License-Identifier: MIT
//
// Whether kernel events can be recorded here, and the modules that are needed for it.
#pragma once

#include "notes.hpp"
#include "tool.hpp"

namespace lttng_gpu::record {

/// Why the kernel's GPU events cannot be recorded, and what to do; empty: according
/// to the checks of doctor, they can. Starts and loads nothing.
std::string why_no_kernel_events();

/// Loads the probes if they are not loaded, after noting it. Needs the daemon. Returns why
/// kernel events cannot be recorded although the checks passed; empty: they can. Under the
/// notes' lock.
std::string load_probes(Tool& tool, const Notes& notes);

/// Unloads what recordings have loaded, unless one still runs. Under the notes' lock.
void unload_probes(Tool& tool, const Notes& notes);

} // namespace lttng_gpu::record
