// SPDX-License-Identifier: MIT
//
// Command buffers (cl_khr_command_buffer): how many commands each has, which no driver tells, and
// where it runs. A buffer is filled once and enqueued often, also in sessions that begin later, so
// this is noted whether or not somebody records.
#pragma once

#include "calls.hpp"

namespace lttng_gpu::opencl {

/// Just made, for these queues.
void command_buffer_created(cl_command_buffer_khr buffer, cl_uint queues_count,
                            const cl_command_queue* queues);
/// One more command is in it.
void command_buffer_filled(cl_command_buffer_khr buffer);
/// 0 if it is not known.
uint64_t commands_in(cl_command_buffer_khr buffer);
/// The first of the queues that it is enqueued to: those given, else those that it was made for.
/// Null if it is not known.
cl_command_queue queue_of(cl_command_buffer_khr buffer, cl_uint queues_count,
                          const cl_command_queue* queues);

/// This one records the call, too.
void command_buffer_retained(const Call& call, cl_command_buffer_khr buffer, cl_int result);
/// Before the driver's function, which may end the buffer.
void before_command_buffer_release(cl_command_buffer_khr buffer);
/// This one records the call, too.
void command_buffer_released(const Call& call, cl_command_buffer_khr buffer, cl_int result);

void forget_command_buffers();
void lock_command_buffers();
void unlock_command_buffers();

} // namespace lttng_gpu::opencl
