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

#endif

#include <lttng/tracepoint-event.h>
