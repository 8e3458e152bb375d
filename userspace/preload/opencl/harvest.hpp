// SPDX-License-Identifier: MIT
//
// Asks the driver for the times of commands that are complete, many at once, where the application
// waits anyway.
#pragma once

#include "queues.hpp"

namespace lttng_gpu::opencl {

/// Reports the queue's complete commands. Those of an in-order queue up to number `complete` are
/// known to be.
void harvest(Queue& queue, uint64_t complete);
/// Likewise, if enough were enqueued since the last time.
void harvest_now_and_then(Queue& queue);
/// Every queue's; at the program's end what is not complete is counted and let go.
void harvest_all();
void harvest_at_exit();
/// Drops the references to events of commands that are not complete.
void abandon_all();

} // namespace lttng_gpu::opencl
