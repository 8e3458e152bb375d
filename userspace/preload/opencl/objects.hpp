// SPDX-License-Identifier: MIT
//
// Objects that the application makes, keeps and releases. What they are is asked of the driver, the
// same way for all functions that make one.
#pragma once

#include "calls.hpp"
#include "opencl_headers.hpp"

namespace lttng_gpu::opencl {

void memory_created(cl_mem memory);
void sampler_created(cl_sampler sampler);
void kernel_created(cl_kernel kernel);
void source_program_created(cl_program program);
/// A driver tells the size of a binary only after building it, so that of those given is recorded.
void binary_program_created(cl_program program, size_t bytes);
void il_program_created(cl_program program);
void built_in_program_created(cl_program program);
void linked_program_created(cl_program program);
void user_event_created(cl_event event);
void foreign_event_created(cl_event event);
void context_created(cl_context context);

/// Of any object: what is recorded of the call.
void object_retained(const Call& call, const void* object, lttng_gpu_opencl_object_kind kind,
                     cl_int result);
void object_released(const Call& call, const void* object, lttng_gpu_opencl_object_kind kind,
                     cl_int result);

/// These record the call, too.
void device_retained(const Call& call, cl_device_id device, cl_int result);
void context_retained(const Call& call, cl_context context, cl_int result);
void queue_retained(const Call& call, cl_command_queue queue, cl_int result);
void memory_retained(const Call& call, cl_mem memory, cl_int result);
void sampler_retained(const Call& call, cl_sampler sampler, cl_int result);
void program_retained(const Call& call, cl_program program, cl_int result);
void kernel_retained(const Call& call, cl_kernel kernel, cl_int result);
void event_retained(const Call& call, cl_event event, cl_int result);

/// Before the driver's function, which may end the object.
inline void before_device_release(cl_device_id) {}
void before_context_release(cl_context context);
void before_queue_release(cl_command_queue queue);
inline void before_memory_release(cl_mem) {}
inline void before_sampler_release(cl_sampler) {}
inline void before_program_release(cl_program) {}
void before_kernel_release(cl_kernel kernel);
void before_event_release(cl_event event);

/// These record the call, too.
void device_released(const Call& call, cl_device_id device, cl_int result);
void context_released(const Call& call, cl_context context, cl_int result);
void queue_released(const Call& call, cl_command_queue queue, cl_int result);
void memory_released(const Call& call, cl_mem memory, cl_int result);
void sampler_released(const Call& call, cl_sampler sampler, cl_int result);
void program_released(const Call& call, cl_program program, cl_int result);
void kernel_released(const Call& call, cl_kernel kernel, cl_int result);
void event_released(const Call& call, cl_event event, cl_int result);

/// The kernel's function; stays valid for ever, because equal names are kept once.
const char* kernel_name(cl_kernel kernel);

/// Writes what the device is, and its clock, if that was not done in the last `pause_ns`.
void describe_device(cl_device_id device, uint64_t now, uint64_t pause_ns);

void forget_kernels();
void lock_kernels();
void unlock_kernels();
void forget_devices();
void lock_devices();
void unlock_devices();

} // namespace lttng_gpu::opencl
