// SPDX-License-Identifier: MIT
//
// Results of timestamp queries, and the clocks of which they are.
#pragma once

#include "times.hpp"

namespace lttng_gpu::gl {

/// Reads what is complete of the context, which is current, and its clock now and then.
void harvest(ContextTimes& times);
/// Commands whose times will not be read any more.
void count_left(ContextTimes& times);
/// At the end of the program: of all contexts. Nothing is asked of OpenGL any more.
void count_all_left();

/// Of the context, which is current. Null: there are too many.
TimedDevice* find_device(const ContextTimes& times);
/// Writes what the context's device is, and its queues.
void describe(const ContextTimes& times);

void lock_devices();
void unlock_devices();

} // namespace lttng_gpu::gl
