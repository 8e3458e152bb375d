// SPDX-License-Identifier: MIT
//
// Asks the driver for the times of commands that are complete, many at once, where the application
// waits anyway.
#pragma once

#include "queues.hpp"

namespace lttng_gpu::opencl {

/// Reports the queue's complete commands. If it is in-order, those up to number `complete` are
/// known to be; whatever it is, number `also` is.
void harvest(Queue& queue, uint64_t complete, uint64_t also = 0);
/// Likewise, if enough were enqueued since the last time.
void harvest_now_and_then(Queue& queue);
/// The application has released the queue, and may never wait for its commands: the driver says
/// when they are complete. Until then they keep the queue and its context alive.
void harvest_when_complete(Queue& queue);
void harvest_all();
/// Once only: after the first of the layer's exit handlers that of a driver may have run.
void harvest_before_drivers_end();
/// Likewise; what is not complete is counted.
void harvest_at_exit();
/// The same, in the destructor of the library.
void harvest_at_unload();
/// With their loader, and not with the program: there may be others later.
void drivers_ended();
/// Drops the references to events of commands that are not complete.
void abandon_all();

} // namespace lttng_gpu::opencl
