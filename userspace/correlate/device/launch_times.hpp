// SPDX-License-Identifier: MIT
//
// Where launches lie on the trace's clock. A launch's begin and end are of the device's own timer.
// No launch begins before the call that enqueued it, and none ends after it was known to be
// complete; where the times of its command are known, it lies between the command's start and end,
// too. All bounds of one timer together give each time and its error (clocks/). Where commands
// contradict the calls or each other, this is counted, and none of them is used.
#pragma once

#include "device_trace.hpp"

namespace lttng_gpu::device {

/// May be called again when LaunchSum::command_times are known.
void place_launches(DeviceTrace& trace);

} // namespace lttng_gpu::device
