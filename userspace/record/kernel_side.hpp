// SPDX-License-Identifier: MIT
//
// Whether kernel events can be recorded here, and the modules that this takes.
#pragma once

#include "notes.hpp"
#include "tool.hpp"

namespace lttng_gpu::record {

/// Why the kernel's GPU events cannot be recorded, and what to do; empty: as far as files
/// tell, they can. Starts and loads nothing.
std::string why_no_kernel_events();

/// Loads the probes if they are not there, after writing that down. Needs the daemon. The
/// text is why kernel events cannot be recorded in spite of what files told. Under the
/// notes' lock.
std::string load_probes(Tool& tool, const Notes& notes);

/// Unloads what recordings have loaded, unless one still runs. Under the notes' lock.
void unload_probes(Tool& tool, const Notes& notes);

} // namespace lttng_gpu::record
