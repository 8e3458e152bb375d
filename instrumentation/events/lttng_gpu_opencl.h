/* SPDX-License-Identifier: MIT */
/*
 * What the OpenCL layer records (LTTng-UST); docs/opencl-events.md says what the events mean. lttng_gpu_records.h says how
 * this list is read.
 */
#ifdef LTTNG_UST_TRACEPOINT_PROVIDER
#include "opencl_names.h" /* generated: the names of functions and of command types */
#endif

gpu_records_version(5)

gpu_api_enumeration(function, LTTNG_GPU_OPENCL_FUNCTIONS(gpu_value))
gpu_api_enumeration(command_type, LTTNG_GPU_OPENCL_COMMANDS(gpu_value))
gpu_api_enumeration(memory_type, LTTNG_GPU_OPENCL_MEMORY_TYPES(gpu_value))
gpu_enumeration(validity,
	gpu_value("valid", LTTNG_GPU_OPENCL_VALID)
	gpu_value("unavailable", LTTNG_GPU_OPENCL_UNAVAILABLE)
	gpu_value("disordered", LTTNG_GPU_OPENCL_DISORDERED)
	gpu_value("implausible", LTTNG_GPU_OPENCL_IMPLAUSIBLE))
gpu_enumeration(untimed_reason,
	/* the queue was made before a session wanted times, or the driver refused */
	gpu_value("no_profiling", LTTNG_GPU_OPENCL_NO_PROFILING)
	gpu_value("no_event", LTTNG_GPU_OPENCL_NO_EVENT) /* the function gives no event that could be asked */
	gpu_value("backlog", LTTNG_GPU_OPENCL_BACKLOG) /* too many commands were waiting */
	gpu_value("exit", LTTNG_GPU_OPENCL_EXIT) /* not complete when the program ended */
	gpu_value("no_memory", LTTNG_GPU_OPENCL_NO_MEMORY)) /* the layer could not note the command */
gpu_enumeration(profiling,
	gpu_value("off", LTTNG_GPU_OPENCL_PROFILING_OFF)
	gpu_value("application", LTTNG_GPU_OPENCL_PROFILING_APPLICATION)
	gpu_value("layer", LTTNG_GPU_OPENCL_PROFILING_LAYER))
gpu_enumeration(program_origin,
	gpu_value("source", LTTNG_GPU_OPENCL_FROM_SOURCE)
	gpu_value("binary", LTTNG_GPU_OPENCL_FROM_BINARY)
	gpu_value("il", LTTNG_GPU_OPENCL_FROM_IL)
	gpu_value("built_in", LTTNG_GPU_OPENCL_BUILT_IN)
	gpu_value("linked", LTTNG_GPU_OPENCL_LINKED))
gpu_enumeration(object_kind,
	gpu_value("device", LTTNG_GPU_OPENCL_DEVICE)
	gpu_value("context", LTTNG_GPU_OPENCL_CONTEXT)
	gpu_value("queue", LTTNG_GPU_OPENCL_QUEUE)
	gpu_value("memory", LTTNG_GPU_OPENCL_MEMORY)
	gpu_value("sampler", LTTNG_GPU_OPENCL_SAMPLER)
	gpu_value("program", LTTNG_GPU_OPENCL_PROGRAM)
	gpu_value("kernel", LTTNG_GPU_OPENCL_KERNEL)
	gpu_value("event", LTTNG_GPU_OPENCL_EVENT)
	gpu_value("command_buffer", LTTNG_GPU_OPENCL_COMMAND_BUFFER))

/* Calls */

gpu_event(call,
	gpu_integer(uint64_t, begin_ns)
	gpu_integer(int32_t, result)
	gpu_enum(function, uint16_t, function))

gpu_event(call_begin,
	gpu_enum(function, uint16_t, function))

/* Of a queue: for its commands up to `newest`. Of events: for the commands `waits_for`, the first of `events`. */
gpu_event(wait,
	gpu_integer(uint64_t, begin_ns)
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, newest)
	gpu_integer(uint32_t, events)
	gpu_integer(int32_t, result)
	gpu_enum(function, uint16_t, function)
	gpu_count(waits_for_count)
	gpu_sequence(uint64_t, waits_for, waits_for_count))

/* Commands */

#define gpu_command_fields                                                                             \
	gpu_integer(uint64_t, command)                                                                 \
	gpu_integer_hex(uint64_t, queue)                                                               \
	gpu_integer_hex(uint64_t, event)                                                               \
	gpu_integer(uint64_t, begin_ns)                                                                \
	gpu_enum(command_type, uint32_t, type)                                                         \
	gpu_enum(function, uint16_t, function)                                                         \
	gpu_integer(uint8_t, blocking)                                                                 \
	gpu_count(waits_for_count)                                                                     \
	gpu_sequence(uint64_t, waits_for, waits_for_count)

gpu_event(kernel_enqueue,
	gpu_command_fields
	gpu_integer_hex(uint64_t, kernel)
	gpu_string(name)
	gpu_count(global_offset_count)
	gpu_sequence(uint64_t, global_offset, global_offset_count)
	gpu_count(global_size_count)
	gpu_sequence(uint64_t, global_size, global_size_count)
	gpu_count(local_size_count)
	gpu_sequence(uint64_t, local_size, local_size_count))

gpu_event(transfer_enqueue,
	gpu_command_fields
	gpu_integer_hex(uint64_t, source)
	gpu_integer_hex(uint64_t, destination)
	gpu_integer(uint64_t, bytes))

gpu_event(command_enqueue,
	gpu_command_fields)

gpu_event(command_buffer_enqueue,
	gpu_command_fields
	gpu_integer_hex(uint64_t, buffer)
	gpu_integer(uint64_t, commands))

/* Of one or more commands, `count` in each array. */
gpu_event(command_times,
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, observed_ns)
	gpu_integer(int32_t, status)
	gpu_enum(validity, uint8_t, validity)
	gpu_count(count)
	gpu_sequence(uint64_t, command, count)
	gpu_sequence_hex(uint64_t, type, count)
	gpu_sequence(uint64_t, queued, count)
	gpu_sequence(uint64_t, submit, count)
	gpu_sequence(uint64_t, start, count)
	gpu_sequence(uint64_t, end, count))

gpu_event(commands_untimed,
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, count)
	gpu_enum(untimed_reason, uint8_t, reason))

gpu_event(user_event_status,
	gpu_integer(uint64_t, command)
	gpu_integer(int32_t, status))

/* Objects */

gpu_event(device,
	gpu_integer_hex(uint64_t, device)
	gpu_integer_hex(uint64_t, platform)
	gpu_integer_hex(uint64_t, parent)
	gpu_integer_hex(uint64_t, type)
	gpu_string(name)
	gpu_string(vendor)
	gpu_string(driver_version)
	gpu_string(platform_name)
	gpu_integer(uint64_t, timer_resolution))

gpu_event(queue,
	gpu_integer_hex(uint64_t, queue)
	gpu_integer_hex(uint64_t, context)
	gpu_integer_hex(uint64_t, device)
	gpu_integer_hex(uint64_t, properties)
	gpu_enum(profiling, uint8_t, profiling))

gpu_event(device_clock,
	gpu_integer_hex(uint64_t, device)
	gpu_integer(uint64_t, device_time)
	gpu_integer(uint64_t, before_ns)
	gpu_integer(uint64_t, after_ns))

gpu_event(context_create,
	gpu_integer_hex(uint64_t, context)
	gpu_count(devices_count)
	gpu_sequence_hex(uint64_t, devices, devices_count))

gpu_event(program_create,
	gpu_integer_hex(uint64_t, program)
	gpu_integer_hex(uint64_t, context)
	gpu_integer(uint64_t, bytes)
	gpu_enum(program_origin, uint8_t, origin))

gpu_event(program_build,
	gpu_integer_hex(uint64_t, program)
	gpu_integer(uint64_t, begin_ns)
	gpu_integer(int32_t, result))

gpu_event(kernel_create,
	gpu_integer_hex(uint64_t, kernel)
	gpu_integer_hex(uint64_t, program)
	gpu_string(name))

gpu_event(memory_create,
	gpu_integer_hex(uint64_t, memory)
	gpu_integer_hex(uint64_t, context)
	gpu_integer_hex(uint64_t, parent)
	gpu_integer_hex(uint64_t, flags)
	gpu_integer(uint64_t, bytes)
	gpu_integer(uint64_t, width)
	gpu_integer(uint64_t, height)
	gpu_integer(uint64_t, depth)
	gpu_enum(memory_type, uint32_t, type))

gpu_event(svm_alloc,
	gpu_integer_hex(uint64_t, address)
	gpu_integer_hex(uint64_t, context)
	gpu_integer_hex(uint64_t, flags)
	gpu_integer(uint64_t, bytes))

gpu_event(svm_free,
	gpu_integer_hex(uint64_t, address))

gpu_event(sampler_create,
	gpu_integer_hex(uint64_t, sampler)
	gpu_integer_hex(uint64_t, context))

gpu_event(user_event_create,
	gpu_integer(uint64_t, command)
	gpu_integer_hex(uint64_t, event)
	gpu_integer_hex(uint64_t, context))

gpu_event(object_retain,
	gpu_integer_hex(uint64_t, object)
	gpu_integer(uint64_t, begin_ns)
	gpu_integer(int32_t, result)
	gpu_enum(function, uint16_t, function)
	gpu_enum(object_kind, uint8_t, kind))

gpu_event(object_release,
	gpu_integer_hex(uint64_t, object)
	gpu_integer(uint64_t, begin_ns)
	gpu_integer(int32_t, result)
	gpu_enum(function, uint16_t, function)
	gpu_enum(object_kind, uint8_t, kind))
