// SPDX-License-Identifier: MIT
//
// Exit handlers run in the opposite order of registering. So a handler of the layer that is
// registered after a driver's asks the driver for what is complete before that one ends it. But
// drivers register theirs when they like: with the first object, with the first work of a queue.
#pragma once

namespace lttng_gpu {

/// To be called when a driver may just have registered its handler. `ask` does nothing but when it
/// is called for the first time, and must not ask a driver after that.
void expect_drivers_end(void (*ask)());

} // namespace lttng_gpu
