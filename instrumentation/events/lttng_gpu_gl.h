/* SPDX-License-Identifier: MIT */
/*
 * What the OpenGL layer records (LTTng-UST); docs/gl-events.md says what the events mean. The records that they are made
 * of, with one argument each, are in lttng_gpu_gl_records.h. There are few in a frame: LTTng's own macros write them.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER lttng_gpu_gl

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "instrumentation/events/lttng_gpu_gl.h"

#if !defined(LTTNG_GPU_GL_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_GPU_GL_EVENTS_H

#include <lttng/tracepoint.h>
#include "gl_names.h" /* generated: the names of functions */
#include "instrumentation/events/lttng_gpu_gl_records.h"

#define gpu_gl_function(_name, _value) lttng_ust_field_enum_value(_name, _value)

LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_gl, function, LTTNG_UST_TP_ENUM_VALUES(LTTNG_GPU_GL_FUNCTIONS(gpu_gl_function)))

LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_gl, times, LTTNG_UST_TP_ENUM_VALUES(
	lttng_ust_field_enum_value("expected", LTTNG_GPU_GL_EXPECTED)
	lttng_ust_field_enum_value("unsupported", LTTNG_GPU_GL_UNSUPPORTED)
	lttng_ust_field_enum_value("backlog", LTTNG_GPU_GL_BACKLOG)
	lttng_ust_field_enum_value("unseen", LTTNG_GPU_GL_UNSEEN)))

LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_gl, validity, LTTNG_UST_TP_ENUM_VALUES(
	lttng_ust_field_enum_value("valid", LTTNG_GPU_GL_VALID)
	lttng_ust_field_enum_value("unavailable", LTTNG_GPU_GL_UNAVAILABLE)
	lttng_ust_field_enum_value("disordered", LTTNG_GPU_GL_DISORDERED)))

LTTNG_UST_TRACEPOINT_ENUM(lttng_gpu_gl, untimed_reason, LTTNG_UST_TP_ENUM_VALUES(
	lttng_ust_field_enum_value("exit", LTTNG_GPU_GL_EXIT)
	lttng_ust_field_enum_value("no_memory", LTTNG_GPU_GL_NO_MEMORY)))

#define gpu_gl_event(_name, ...)                                                                       \
	LTTNG_UST_TRACEPOINT_EVENT(lttng_gpu_gl, _name,                                                \
		LTTNG_UST_TP_ARGS(const struct lttng_gpu_gl_##_name *, r), LTTNG_UST_TP_FIELDS(__VA_ARGS__))

#define gpu_gl_begin lttng_ust_field_integer(uint64_t, begin_ns, r->begin_ns)
#define gpu_gl_result lttng_ust_field_integer(int32_t, result, r->result)
#define gpu_gl_name lttng_ust_field_enum(lttng_gpu_gl, function, uint16_t, function, r->function)

/* Calls */

gpu_gl_event(call, gpu_gl_begin gpu_gl_result gpu_gl_name)

gpu_gl_event(call_begin, gpu_gl_name)

gpu_gl_event(frame,
	gpu_gl_begin
	gpu_gl_result
	gpu_gl_name
	lttng_ust_field_integer(uint64_t, frame, r->frame)
	lttng_ust_field_integer_hex(uint64_t, surface, r->surface)
	lttng_ust_field_integer_hex(uint64_t, context, r->context)
	lttng_ust_field_integer(uint32_t, draws, r->draws)
	lttng_ust_field_integer(uint32_t, dispatches, r->dispatches)
	lttng_ust_field_integer(uint32_t, uploads, r->uploads))

/* Waiting */

gpu_gl_event(fence_create,
	gpu_gl_begin
	gpu_gl_name
	lttng_ust_field_integer_hex(uint64_t, sync, r->sync))

gpu_gl_event(fence_wait,
	gpu_gl_begin
	gpu_gl_name
	lttng_ust_field_integer_hex(uint64_t, sync, r->sync)
	gpu_gl_result
	lttng_ust_field_integer(uint64_t, timeout, r->timeout))

gpu_gl_event(query_result,
	gpu_gl_begin
	gpu_gl_name
	lttng_ust_field_integer(uint32_t, query, r->query)
	lttng_ust_field_integer_hex(uint32_t, pname, r->pname))

/* Contexts */

gpu_gl_event(context_create,
	gpu_gl_begin
	gpu_gl_name
	lttng_ust_field_integer_hex(uint64_t, context, r->context)
	lttng_ust_field_integer_hex(uint64_t, shared, r->shared))

gpu_gl_event(context_current,
	gpu_gl_begin
	gpu_gl_result
	gpu_gl_name
	lttng_ust_field_integer_hex(uint64_t, context, r->context)
	lttng_ust_field_integer_hex(uint64_t, draw_surface, r->draw_surface)
	lttng_ust_field_integer_hex(uint64_t, read_surface, r->read_surface))

gpu_gl_event(context_destroy,
	gpu_gl_begin
	gpu_gl_result
	gpu_gl_name
	lttng_ust_field_integer_hex(uint64_t, context, r->context))

/* Work */

gpu_gl_event(dispatch,
	gpu_gl_begin
	gpu_gl_name
	lttng_ust_field_integer(uint32_t, groups_x, r->groups_x)
	lttng_ust_field_integer(uint32_t, groups_y, r->groups_y)
	lttng_ust_field_integer(uint32_t, groups_z, r->groups_z))

gpu_gl_event(upload,
	gpu_gl_begin
	gpu_gl_name
	lttng_ust_field_integer(uint64_t, bytes, r->bytes))

gpu_gl_event(blit, gpu_gl_begin gpu_gl_name)

/* Names */

gpu_gl_event(label,
	lttng_ust_field_integer_hex(uint64_t, object, r->object)
	lttng_ust_field_integer_hex(uint32_t, kind, r->kind)
	lttng_ust_field_string(name, r->name))

gpu_gl_event(debug_group_push,
	lttng_ust_field_integer(uint32_t, id, r->id)
	lttng_ust_field_string(name, r->name))

gpu_gl_event(debug_group_pop,
	lttng_ust_field_integer_hex(uint64_t, context, r->context))

gpu_gl_event(marker,
	lttng_ust_field_string(name, r->name))

/* Times of frames, dispatches and blits */

#define gpu_gl_sequence(_item, _src) lttng_ust_field_sequence(uint64_t, _item, r->_src, uint32_t, r->count)

gpu_gl_event(command,
	gpu_gl_begin
	gpu_gl_name
	lttng_ust_field_integer(uint64_t, queued_ns, r->queued_ns)
	lttng_ust_field_integer_hex(uint64_t, queue, r->queue)
	lttng_ust_field_integer(uint64_t, command, r->command)
	lttng_ust_field_enum(lttng_gpu_gl, times, uint8_t, times, r->times))

gpu_gl_event(command_times,
	lttng_ust_field_integer_hex(uint64_t, queue, r->queue)
	lttng_ust_field_integer(uint64_t, observed_ns, r->observed_ns)
	lttng_ust_field_enum(lttng_gpu_gl, validity, uint8_t, validity, r->validity)
	gpu_gl_sequence(command, command)
	gpu_gl_sequence(queued, start) /* the device tells only of its execution */
	gpu_gl_sequence(submit, start)
	gpu_gl_sequence(start, start)
	gpu_gl_sequence(end, end))

gpu_gl_event(commands_untimed,
	lttng_ust_field_integer_hex(uint64_t, queue, r->queue)
	lttng_ust_field_integer(uint64_t, count, r->count)
	lttng_ust_field_enum(lttng_gpu_gl, untimed_reason, uint8_t, reason, r->reason))

gpu_gl_event(device,
	lttng_ust_field_integer_hex(uint64_t, device, r->device)
	lttng_ust_field_integer_hex(uint64_t, display, r->display)
	lttng_ust_field_string(name, r->name)
	lttng_ust_field_string(version, r->version)
	lttng_ust_field_integer(uint32_t, timestamp_bits, r->timestamp_bits)
	lttng_ust_field_integer(uint64_t, timer_resolution, r->timer_resolution))

gpu_gl_event(queue,
	lttng_ust_field_integer_hex(uint64_t, device, r->device)
	lttng_ust_field_integer_hex(uint64_t, queue, r->queue)
	lttng_ust_field_integer_hex(uint64_t, context, r->context))

gpu_gl_event(device_clock,
	lttng_ust_field_integer_hex(uint64_t, device, r->device)
	lttng_ust_field_integer(uint64_t, device_time, r->device_time)
	lttng_ust_field_integer(uint64_t, before_ns, r->before_ns)
	lttng_ust_field_integer(uint64_t, after_ns, r->after_ns))

#endif

#include <lttng/tracepoint-event.h>
