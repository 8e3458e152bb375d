// SPDX-License-Identifier: MIT
//
// libbabeltrace2 ends the process when it meets what it holds for impossible, and GLib when there
// is not as much memory as it is asked for. What a relay daemon sends can lead to either.
#pragma once

namespace lttng_gpu::trace {

/// Calls work(of). False when it was ended by abort() or as GLib does it: then what it had is not
/// to be used any more, nor to be freed, and nothing with a destructor may have been on the stack.
/// One at a time in a process; aborts of other threads are theirs.
bool survives_abort(void (*work)(void* of), void* of);

} // namespace lttng_gpu::trace
