/* SPDX-License-Identifier: MIT */
/*
 * What the Vulkan layer records (LTTng-UST); docs/vulkan-events.md says what the events mean. The records that they are
 * made of, with one argument each, are in lttng_gpu_vulkan_records.h.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER lttng_gpu_vulkan

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "instrumentation/events/lttng_gpu_vulkan.h"

#include "instrumentation/events/lttng_gpu_fields.h"

#if !defined(LTTNG_GPU_VULKAN_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_GPU_VULKAN_EVENTS_H

#include <lttng/tracepoint.h>
#include "vulkan_names.h" /* generated: the names of functions and of types of objects */
#include "instrumentation/events/lttng_gpu_piece.h"
#include "instrumentation/events/lttng_gpu_vulkan_records.h"

#define gpu_enum_entry(_name, _value) lttng_ust_field_enum_value(_name, _value)

LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_vulkan, function, LTTNG_UST_TP_ENUM_VALUES(LTTNG_GPU_VULKAN_FUNCTIONS(gpu_enum_entry)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_vulkan, object_type, LTTNG_UST_TP_ENUM_VALUES(LTTNG_GPU_VULKAN_OBJECT_TYPES(gpu_enum_entry)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_vulkan, validity, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("valid", LTTNG_GPU_VULKAN_VALID)
	gpu_enum_entry("unavailable", LTTNG_GPU_VULKAN_UNAVAILABLE)
	gpu_enum_entry("disordered", LTTNG_GPU_VULKAN_DISORDERED)
	gpu_enum_entry("implausible", LTTNG_GPU_VULKAN_IMPLAUSIBLE)))
LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_vulkan, untimed_reason, LTTNG_UST_TP_ENUM_VALUES(
	gpu_enum_entry("unsupported", LTTNG_GPU_VULKAN_UNSUPPORTED)
	gpu_enum_entry("too_large", LTTNG_GPU_VULKAN_TOO_LARGE)
	gpu_enum_entry("backlog", LTTNG_GPU_VULKAN_BACKLOG)
	gpu_enum_entry("exit", LTTNG_GPU_VULKAN_EXIT)))

#define gpu_event(_name, ...)                                                                          \
	LTTNG_UST_TRACEPOINT_EVENT(lttng_gpu_vulkan, _name,                                            \
		LTTNG_UST_TP_ARGS(const struct lttng_gpu_vulkan_##_name *, r), gpu_fields(__VA_ARGS__))

/* Calls. Each of these is the event of its call, and begins as `call` does. */

#define gpu_call_fields                                                                                \
	gpu_integer(uint64_t, begin_ns, r->begin_ns)                                                   \
	gpu_integer(int32_t, result, r->result)                                                        \
	gpu_enum(function, uint16_t, function, r->function)

gpu_event(call,
	gpu_call_fields)

gpu_event(call_begin,
	gpu_enum(function, uint16_t, function, r->function))

gpu_event(submit,
	gpu_call_fields
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint64_t, submission, r->submission)
	gpu_integer(uint32_t, command_buffers, r->command_buffers)
	gpu_integer(uint32_t, waits, r->waits)
	gpu_integer(uint32_t, signals, r->signals)
	gpu_integer_hex(uint64_t, fence, r->fence)
	gpu_integer(uint8_t, timed, r->timed))

gpu_event(frame,
	gpu_call_fields
	gpu_integer(uint64_t, frame, r->frame)
	gpu_integer_hex(uint64_t, surface, r->surface)
	gpu_integer_hex(uint64_t, context, r->context)
	gpu_integer(uint32_t, draws, r->draws)
	gpu_integer(uint32_t, dispatches, r->dispatches)
	gpu_integer(uint32_t, uploads, r->uploads))

gpu_event(wait,
	gpu_call_fields
	gpu_integer(uint64_t, timeout, r->timeout))

gpu_event(pipeline,
	gpu_call_fields
	gpu_integer(uint32_t, count, r->count))

/* Times of submissions */

gpu_event(command_times,
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint64_t, observed_ns, r->observed_ns)
	gpu_integer(int32_t, status, r->status)
	gpu_enum(validity, uint8_t, validity, r->validity)
	gpu_sequence(uint64_t, command, r->command, r->count)
	gpu_sequence(uint64_t, queued, r->queued, r->count)
	gpu_sequence(uint64_t, submit, r->submit, r->count)
	gpu_sequence(uint64_t, start, r->start, r->count)
	gpu_sequence(uint64_t, end, r->end, r->count))

gpu_event(commands_untimed,
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint64_t, count, r->count)
	gpu_enum(untimed_reason, uint8_t, reason, r->reason))

/* Objects */

gpu_event(command_buffers,
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer(uint64_t, begins, r->begins)
	gpu_integer(uint64_t, ends, r->ends)
	gpu_integer(uint64_t, resets, r->resets))

gpu_event(device,
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer_hex(uint64_t, physical_device, r->physical_device)
	gpu_integer_hex(uint64_t, instance, r->instance)
	gpu_string(name, r->name)
	gpu_integer_hex(uint32_t, vendor, r->vendor)
	gpu_integer_hex(uint32_t, driver_version, r->driver_version)
	gpu_integer_hex(uint32_t, api_version, r->api_version)
	gpu_integer(uint64_t, timer_resolution, r->timer_resolution)
	gpu_integer(uint8_t, calibrated, r->calibrated))

gpu_event(queue,
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_integer(uint32_t, family, r->family)
	gpu_integer(uint32_t, index, r->index)
	gpu_integer_hex(uint32_t, flags, r->flags)
	gpu_integer(uint32_t, timestamp_bits, r->timestamp_bits)
	gpu_integer(uint8_t, timed, r->timed))

gpu_event(device_clock,
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer(uint64_t, device_time, r->device_time)
	gpu_integer(uint64_t, before_ns, r->before_ns)
	gpu_integer(uint64_t, after_ns, r->after_ns))

gpu_event(object_name,
	gpu_integer_hex(uint64_t, device, r->device)
	gpu_integer_hex(uint64_t, object, r->object)
	gpu_enum(object_type, uint32_t, type, r->type)
	gpu_string(name, r->name))

/* What the program says of a queue's work */

gpu_event(label_begin,
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_string(name, r->name))

gpu_event(label_end,
	gpu_integer_hex(uint64_t, queue, r->queue))

gpu_event(label_insert,
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_string(name, r->name))

#endif

#include <lttng/tracepoint-event.h>
