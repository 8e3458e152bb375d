// SPDX-License-Identifier: MIT
//
// The time by which babeltrace2 orders a message among others.
#pragma once

#include <babeltrace2/babeltrace.h>

namespace lttng_gpu::trace {

/// Borrowed from the message; none when the message has no time. Of a message about a
/// stretch of time it is the beginning.
const bt_clock_snapshot* clock_snapshot_of(const bt_message* message);

} // namespace lttng_gpu::trace
