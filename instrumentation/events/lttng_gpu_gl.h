/* SPDX-License-Identifier: MIT */
/*
 * What the OpenGL layer records (LTTng-UST); docs/gl-events.md says what the events mean. lttng_gpu_records.h says how this
 * list is read.
 */
#ifdef LTTNG_UST_TRACEPOINT_PROVIDER
#include "gl_names.h" /* generated: the names of functions */
#endif

gpu_records_version(3)

gpu_api_enumeration(function, LTTNG_GPU_GL_FUNCTIONS(gpu_value))

/* Whether command_times of a command can come. */
gpu_enumeration(times,
	gpu_value("expected", LTTNG_GPU_GL_EXPECTED)
	gpu_value("unsupported", LTTNG_GPU_GL_UNSUPPORTED) /* the context has no timer queries */
	gpu_value("backlog", LTTNG_GPU_GL_BACKLOG) /* too many commands of the context were not complete */
	/* No call that gives work was seen in the frame, or not the first one, or a display list was being made. */
	gpu_value("unseen", LTTNG_GPU_GL_UNSEEN))

gpu_enumeration(validity,
	gpu_value("valid", LTTNG_GPU_GL_VALID)
	gpu_value("unavailable", LTTNG_GPU_GL_UNAVAILABLE)
	gpu_value("disordered", LTTNG_GPU_GL_DISORDERED))

gpu_enumeration(untimed_reason,
	gpu_value("exit", LTTNG_GPU_GL_EXIT) /* not complete when the program ended, or the context was released or destroyed for good */
	gpu_value("no_memory", LTTNG_GPU_GL_NO_MEMORY)) /* for the context; the queue is the context */

#define gpu_gl_begin gpu_integer(uint64_t, begin_ns)
#define gpu_gl_result gpu_integer(int32_t, result)
#define gpu_gl_name gpu_enum(function, uint16_t, function)

/* Calls */

gpu_event(call,
	gpu_gl_begin
	gpu_gl_result
	gpu_gl_name)

gpu_event(call_begin,
	gpu_gl_name)

gpu_event(frame,
	gpu_gl_begin
	gpu_gl_result
	gpu_gl_name
	gpu_integer(uint64_t, frame)
	gpu_integer_hex(uint64_t, surface)
	gpu_integer_hex(uint64_t, context)
	gpu_integer(uint32_t, draws)
	gpu_integer(uint32_t, dispatches)
	gpu_integer(uint32_t, uploads))

/* Waiting */

gpu_event(fence_create,
	gpu_gl_begin
	gpu_gl_name
	gpu_integer_hex(uint64_t, sync))

gpu_event(fence_wait,
	gpu_gl_begin
	gpu_gl_name
	gpu_integer_hex(uint64_t, sync)
	gpu_gl_result
	gpu_integer(uint64_t, timeout))

gpu_event(query_result,
	gpu_gl_begin
	gpu_gl_name
	gpu_integer(uint32_t, query)
	gpu_integer_hex(uint32_t, pname))

/* Contexts */

gpu_event(context_create,
	gpu_gl_begin
	gpu_gl_name
	gpu_integer_hex(uint64_t, context)
	gpu_integer_hex(uint64_t, shared))

gpu_event(context_current,
	gpu_gl_begin
	gpu_gl_result
	gpu_gl_name
	gpu_integer_hex(uint64_t, context)
	gpu_integer_hex(uint64_t, draw_surface)
	gpu_integer_hex(uint64_t, read_surface))

gpu_event(context_destroy,
	gpu_gl_begin
	gpu_gl_result
	gpu_gl_name
	gpu_integer_hex(uint64_t, context))

/* Work */

gpu_event(dispatch,
	gpu_gl_begin
	gpu_gl_name
	gpu_integer(uint32_t, groups_x)
	gpu_integer(uint32_t, groups_y)
	gpu_integer(uint32_t, groups_z))

gpu_event(upload,
	gpu_gl_begin
	gpu_gl_name
	gpu_integer(uint64_t, bytes))

gpu_event(blit,
	gpu_gl_begin
	gpu_gl_name)

/* Names */

gpu_event(label,
	gpu_integer_hex(uint64_t, object)
	gpu_integer_hex(uint32_t, kind)
	gpu_string(name))

gpu_event(debug_group_push,
	gpu_integer(uint32_t, id)
	gpu_string(name))

gpu_event(debug_group_pop,
	gpu_integer_hex(uint64_t, context))

gpu_event(marker,
	gpu_string(name))

/* Times of frames, dispatches and blits */

/* A frame, or a dispatch or blit, of which it was asked when the GPU did it. */
gpu_event(command,
	gpu_gl_begin
	gpu_gl_name
	gpu_integer(uint64_t, queued_ns)
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, command)
	gpu_enum(times, uint8_t, times))

/* Of one or more commands, `count` in each array. The device tells only of its execution: queued and submit are start. */
gpu_event(command_times,
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, observed_ns)
	gpu_enum(validity, uint8_t, validity)
	gpu_count(count)
	gpu_sequence(uint64_t, command, count)
	gpu_sequence(uint64_t, queued, count)
	gpu_sequence(uint64_t, submit, count)
	gpu_sequence(uint64_t, start, count)
	gpu_sequence(uint64_t, end, count))

gpu_event(commands_untimed,
	gpu_integer_hex(uint64_t, queue)
	gpu_integer(uint64_t, count)
	gpu_enum(untimed_reason, uint8_t, reason))

gpu_event(device,
	gpu_integer_hex(uint64_t, device)
	gpu_integer_hex(uint64_t, display)
	gpu_string(name)
	gpu_string(version)
	gpu_integer(uint32_t, timestamp_bits)
	gpu_integer(uint64_t, timer_resolution))

gpu_event(queue,
	gpu_integer_hex(uint64_t, device)
	gpu_integer_hex(uint64_t, queue)
	gpu_integer_hex(uint64_t, context))

gpu_event(device_clock,
	gpu_integer_hex(uint64_t, device)
	gpu_integer(uint64_t, device_time)
	gpu_integer(uint64_t, before_ns)
	gpu_integer(uint64_t, after_ns))
