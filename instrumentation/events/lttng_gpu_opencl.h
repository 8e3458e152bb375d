/* SPDX-License-Identifier: MIT */
/*
 * What the OpenCL layer records (LTTng-UST); docs/opencl-events.md says what the events mean. The records that they are
 * made of, with one argument each, are in lttng_gpu_opencl_records.h.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER lttng_gpu_opencl

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "instrumentation/events/lttng_gpu_opencl.h"

#include "instrumentation/events/lttng_gpu_fields.h"

#if !defined(LTTNG_GPU_OPENCL_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_GPU_OPENCL_EVENTS_H

#include <lttng/tracepoint.h>
#include "opencl_names.h" /* generated: the names of functions and of command types */
#include "instrumentation/events/lttng_gpu_opencl_records.h"
#include "instrumentation/events/lttng_gpu_piece.h"

#define gpu_enum_entry(_name, _value) lttng_ust_field_enum_value(_name, _value)

LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_opencl, function, LTTNG_UST_TP_ENUM_VALUES(LTTNG_GPU_OPENCL_FUNCTIONS(gpu_enum_entry)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_opencl, command_type, LTTNG_UST_TP_ENUM_VALUES(LTTNG_GPU_OPENCL_COMMANDS(gpu_enum_entry)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_opencl, memory_type, LTTNG_UST_TP_ENUM_VALUES(LTTNG_GPU_OPENCL_MEMORY_TYPES(gpu_enum_entry)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_opencl, validity, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("valid", LTTNG_GPU_OPENCL_VALID)
	gpu_enum_entry("unavailable", LTTNG_GPU_OPENCL_UNAVAILABLE)
	gpu_enum_entry("disordered", LTTNG_GPU_OPENCL_DISORDERED)
	gpu_enum_entry("implausible", LTTNG_GPU_OPENCL_IMPLAUSIBLE)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_opencl, untimed_reason, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("no_profiling", LTTNG_GPU_OPENCL_NO_PROFILING)
	gpu_enum_entry("no_event", LTTNG_GPU_OPENCL_NO_EVENT)
	gpu_enum_entry("backlog", LTTNG_GPU_OPENCL_BACKLOG)
	gpu_enum_entry("exit", LTTNG_GPU_OPENCL_EXIT)
	gpu_enum_entry("no_memory", LTTNG_GPU_OPENCL_NO_MEMORY)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_opencl, profiling, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("off", LTTNG_GPU_OPENCL_PROFILING_OFF)
	gpu_enum_entry("application", LTTNG_GPU_OPENCL_PROFILING_APPLICATION)
	gpu_enum_entry("layer", LTTNG_GPU_OPENCL_PROFILING_LAYER)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_opencl, program_origin, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("source", LTTNG_GPU_OPENCL_FROM_SOURCE)
	gpu_enum_entry("binary", LTTNG_GPU_OPENCL_FROM_BINARY)
	gpu_enum_entry("il", LTTNG_GPU_OPENCL_FROM_IL)
	gpu_enum_entry("built_in", LTTNG_GPU_OPENCL_BUILT_IN)
	gpu_enum_entry("linked", LTTNG_GPU_OPENCL_LINKED)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_opencl, object_kind, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("device", LTTNG_GPU_OPENCL_DEVICE)
	gpu_enum_entry("context", LTTNG_GPU_OPENCL_CONTEXT)
	gpu_enum_entry("queue", LTTNG_GPU_OPENCL_QUEUE)
	gpu_enum_entry("memory", LTTNG_GPU_OPENCL_MEMORY)
	gpu_enum_entry("sampler", LTTNG_GPU_OPENCL_SAMPLER)
	gpu_enum_entry("program", LTTNG_GPU_OPENCL_PROGRAM)
	gpu_enum_entry("kernel", LTTNG_GPU_OPENCL_KERNEL)
	gpu_enum_entry("event", LTTNG_GPU_OPENCL_EVENT)
	gpu_enum_entry("command_buffer", LTTNG_GPU_OPENCL_COMMAND_BUFFER)))

#define gpu_event(_name, ...)                                                                          \
	LTTNG_UST_TRACEPOINT_EVENT(lttng_gpu_opencl, _name,                                            \
		LTTNG_UST_TP_ARGS(const struct lttng_gpu_opencl_##_name *, r), gpu_fields(__VA_ARGS__))

/* Calls */

gpu_event(call,
	gpu_integer(uint64_t, begin_ns, r->begin_ns)
	gpu_integer(int32_t, result, r->result)
	gpu_enum(function, uint16_t, function, r->function))

gpu_event(call_begin,
	gpu_enum(function, uint16_t, function, r->function))

gpu_event(wait,
	gpu_integer(uint64_t, begin_ns, r->begin_ns)
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint64_t, newest, r->newest)
	gpu_integer(uint32_t, events, r->events)
	gpu_integer(int32_t, result, r->result)
	gpu_enum(function, uint16_t, function, r->function)
	gpu_sequence(uint64_t, waits_for, r->waits_for, r->waits_for_count))

/* Commands */

#define gpu_command_fields(_command)                                                                   \
	gpu_integer(uint64_t, command, (_command).command)                                             \
	gpu_integer_hex(uint64_t, queue, (_command).queue)                                             \
	gpu_integer_hex(uint64_t, event, (_command).event)                                             \
	gpu_integer(uint64_t, begin_ns, (_command).begin_ns)                                           \
	gpu_enum(command_type, uint32_t, type, (_command).type)                                        \
	gpu_enum(function, uint16_t, function, (_command).function)                                    \
	gpu_integer(uint8_t, blocking, (_command).blocking)                                            \
	gpu_sequence(uint64_t, waits_for, (_command).waits_for, (_command).waits_for_count)

gpu_event(kernel_enqueue,
	gpu_command_fields(r->common)
	gpu_integer_hex(uint64_t, kernel, r->kernel)
	gpu_string(name, r->name)
	gpu_sequence(uint64_t, global_offset, r->global_offset, r->global_offset_count)
	gpu_sequence(uint64_t, global_size, r->global_size, r->global_size_count)
	gpu_sequence(uint64_t, local_size, r->local_size, r->local_size_count))

gpu_event(transfer_enqueue,
	gpu_command_fields(r->common)
	gpu_integer_hex(uint64_t, source, r->source)
	gpu_integer_hex(uint64_t, destination, r->destination)
	gpu_integer(uint64_t, bytes, r->bytes))

gpu_event(command_enqueue,
	gpu_command_fields(r->common))

gpu_event(command_buffer_enqueue,
	gpu_command_fields(r->common)
	gpu_integer_hex(uint64_t, buffer, r->buffer)
	gpu_integer(uint64_t, commands, r->commands))

gpu_event(command_times,
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint64_t, observed_ns, r->observed_ns)
	gpu_integer(int32_t, status, r->status)
	gpu_enum(validity, uint8_t, validity, r->validity)
	gpu_sequence(uint64_t, command, r->command, r->count)
	gpu_sequence_hex(uint64_t, type, r->type, r->count)
	gpu_sequence(uint64_t, queued, r->queued, r->count)
	gpu_sequence(uint64_t, submit, r->submit, r->count)
	gpu_sequence(uint64_t, start, r->start, r->count)
	gpu_sequence(uint64_t, end, r->end, r->count))

gpu_event(commands_untimed,
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint64_t, count, r->count)
	gpu_enum(untimed_reason, uint8_t, reason, r->reason))

gpu_event(user_event_status,
	gpu_integer(uint64_t, command, r->command)
	gpu_integer(int32_t, status, r->status))

/* Objects */

gpu_event(device,
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer_hex(uint64_t, platform, r->platform)
	gpu_integer_hex(uint64_t, parent, r->parent)
	gpu_integer_hex(uint64_t, type, r->type)
	gpu_string(name, r->name)
	gpu_string(vendor, r->vendor)
	gpu_string(driver_version, r->driver_version)
	gpu_string(platform_name, r->platform_name)
	gpu_integer(uint64_t, timer_resolution, r->timer_resolution))

gpu_event(queue,
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer_hex(uint64_t, context, r->context)
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer_hex(uint64_t, properties, r->properties)
	gpu_enum(profiling, uint8_t, profiling, r->profiling))

gpu_event(device_clock,
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer(uint64_t, device_time, r->device_time)
	gpu_integer(uint64_t, before_ns, r->before_ns)
	gpu_integer(uint64_t, after_ns, r->after_ns))

gpu_event(context_create,
	gpu_integer_hex(uint64_t, context, r->context)
	gpu_sequence_hex(uint64_t, devices, r->devices, r->devices_count))

gpu_event(program_create,
	gpu_integer_hex(uint64_t, program, r->program)
	gpu_integer_hex(uint64_t, context, r->context)
	gpu_integer(uint64_t, bytes, r->bytes)
	gpu_enum(program_origin, uint8_t, origin, r->origin))

gpu_event(program_build,
	gpu_integer_hex(uint64_t, program, r->program)
	gpu_integer(uint64_t, begin_ns, r->begin_ns)
	gpu_integer(int32_t, result, r->result))

gpu_event(kernel_create,
	gpu_integer_hex(uint64_t, kernel, r->kernel)
	gpu_integer_hex(uint64_t, program, r->program)
	gpu_string(name, r->name))

gpu_event(memory_create,
	gpu_integer_hex(uint64_t, memory, r->memory)
	gpu_integer_hex(uint64_t, context, r->context)
	gpu_integer_hex(uint64_t, parent, r->parent)
	gpu_integer_hex(uint64_t, flags, r->flags)
	gpu_integer(uint64_t, bytes, r->bytes)
	gpu_integer(uint64_t, width, r->width)
	gpu_integer(uint64_t, height, r->height)
	gpu_integer(uint64_t, depth, r->depth)
	gpu_enum(memory_type, uint32_t, type, r->type))

gpu_event(svm_alloc,
	gpu_integer_hex(uint64_t, address, r->address)
	gpu_integer_hex(uint64_t, context, r->context)
	gpu_integer_hex(uint64_t, flags, r->flags)
	gpu_integer(uint64_t, bytes, r->bytes))

gpu_event(svm_free,
	gpu_integer_hex(uint64_t, address, r->address))

gpu_event(sampler_create,
	gpu_integer_hex(uint64_t, sampler, r->sampler)
	gpu_integer_hex(uint64_t, context, r->context))

gpu_event(user_event_create,
	gpu_integer(uint64_t, command, r->command)
	gpu_integer_hex(uint64_t, event, r->event)
	gpu_integer_hex(uint64_t, context, r->context))

gpu_event(object_retain,
	gpu_integer_hex(uint64_t, object, r->object)
	gpu_integer(uint64_t, begin_ns, r->begin_ns)
	gpu_integer(int32_t, result, r->result)
	gpu_enum(function, uint16_t, function, r->function)
	gpu_enum(object_kind, uint8_t, kind, r->kind))

gpu_event(object_release,
	gpu_integer_hex(uint64_t, object, r->object)
	gpu_integer(uint64_t, begin_ns, r->begin_ns)
	gpu_integer(int32_t, result, r->result)
	gpu_enum(function, uint16_t, function, r->function)
	gpu_enum(object_kind, uint8_t, kind, r->kind))

#endif

#include <lttng/tracepoint-event.h>
