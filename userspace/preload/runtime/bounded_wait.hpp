// SPDX-License-Identifier: MIT
//
// For what may never return.
#pragma once

#include <stdint.h>

namespace lttng_gpu {

/// Runs the function in a thread of its own. Returns when it has returned, or after that time, and
/// then the thread goes on alone. False where no thread can be made: then it did nothing.
bool run_within(uint64_t ns, void (*function)());

} // namespace lttng_gpu
