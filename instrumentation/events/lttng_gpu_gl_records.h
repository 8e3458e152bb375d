/* SPDX-License-Identifier: MIT */
/*
 * What the layer (C++) hands to the provider (C): one record per event of docs/gl-events.md, with the same names.
 * Strings are borrowed for the length of the call; no pointer is null.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether command_times of a command can come. */
enum lttng_gpu_gl_times {
	LTTNG_GPU_GL_EXPECTED,
	LTTNG_GPU_GL_UNSUPPORTED, /* the context has no timer queries */
	LTTNG_GPU_GL_BACKLOG,     /* too many commands of the context were not complete */
	LTTNG_GPU_GL_UNSEEN,      /* no call that gives work was seen in the frame, or not the first one, or a display list was being made */
};

enum lttng_gpu_gl_validity {
	LTTNG_GPU_GL_VALID,
	LTTNG_GPU_GL_UNAVAILABLE,
	LTTNG_GPU_GL_DISORDERED,
};

enum lttng_gpu_gl_untimed_reason {
	LTTNG_GPU_GL_EXIT, /* not complete when the program ended, or the context was released or destroyed for good */
	LTTNG_GPU_GL_NO_MEMORY, /* for the context; the queue is the context */
};

struct lttng_gpu_gl_call {
	uint64_t begin_ns;
	int32_t result;
	uint16_t function;
};

struct lttng_gpu_gl_call_begin {
	uint16_t function;
};

struct lttng_gpu_gl_frame {
	uint64_t begin_ns, frame, surface, context;
	uint32_t draws, dispatches, uploads;
	int32_t result;
	uint16_t function;
};

struct lttng_gpu_gl_fence_create {
	uint64_t begin_ns, sync;
	uint16_t function;
};

struct lttng_gpu_gl_fence_wait {
	uint64_t begin_ns, sync, timeout;
	int32_t result;
	uint16_t function;
};

struct lttng_gpu_gl_query_result {
	uint64_t begin_ns;
	uint32_t query, pname;
	uint16_t function;
};

struct lttng_gpu_gl_context_create {
	uint64_t begin_ns, context, shared;
	uint16_t function;
};

struct lttng_gpu_gl_context_current {
	uint64_t begin_ns, context, draw_surface, read_surface;
	int32_t result;
	uint16_t function;
};

struct lttng_gpu_gl_context_destroy {
	uint64_t begin_ns, context;
	int32_t result;
	uint16_t function;
};

struct lttng_gpu_gl_dispatch {
	uint64_t begin_ns;
	uint32_t groups_x, groups_y, groups_z;
	uint16_t function;
};

struct lttng_gpu_gl_upload {
	uint64_t begin_ns, bytes;
	uint16_t function;
};

struct lttng_gpu_gl_blit {
	uint64_t begin_ns;
	uint16_t function;
};

struct lttng_gpu_gl_label {
	uint64_t object;
	const char *name;
	uint32_t kind;
};

struct lttng_gpu_gl_debug_group_push {
	const char *name;
	uint32_t id;
};

struct lttng_gpu_gl_debug_group_pop {
	uint64_t context;
};

struct lttng_gpu_gl_marker {
	const char *name;
};

/* A frame, or a dispatch or blit, of which it was asked when the GPU did it. */
struct lttng_gpu_gl_command {
	uint64_t begin_ns, queued_ns, queue, command;
	uint16_t function;
	uint8_t times;
};

/* Of one or more commands, `count` in each array. */
struct lttng_gpu_gl_command_times {
	uint64_t queue, observed_ns;
	const uint64_t *command, *start, *end;
	uint32_t count;
	uint8_t validity;
};

struct lttng_gpu_gl_commands_untimed {
	uint64_t queue, count;
	uint8_t reason;
};

struct lttng_gpu_gl_device {
	uint64_t device, display;
	const char *name, *version;
	uint32_t timestamp_bits;
	uint64_t timer_resolution;
};

struct lttng_gpu_gl_queue {
	uint64_t device, queue, context;
};

struct lttng_gpu_gl_device_clock {
	uint64_t device, device_time, before_ns, after_ns;
};

#define LTTNG_GPU_GL_EVENTS(X)                                                                         \
	X(call) X(call_begin) X(frame)                                                                 \
	X(fence_create) X(fence_wait) X(query_result)                                                  \
	X(context_create) X(context_current) X(context_destroy)                                        \
	X(dispatch) X(upload) X(blit)                                                                  \
	X(label) X(debug_group_push) X(debug_group_pop) X(marker)                                      \
	X(command) X(command_times) X(commands_untimed) X(device) X(queue) X(device_clock)

/* An event is enabled while *state is not 0. Writing one that is not enabled does nothing. */
struct lttng_gpu_gl_provider {
#define LTTNG_GPU_GL_MEMBER(name)                                                                      \
	const int *name##_state;                                                                       \
	void (*name)(const struct lttng_gpu_gl_##name *record);
	LTTNG_GPU_GL_EVENTS(LTTNG_GPU_GL_MEMBER)
#undef LTTNG_GPU_GL_MEMBER
	/* Around fork(); without liblttng-ust-fork the child does not record. 0 when that is loaded. */
	int (*follows_fork)(void);
};

/* The one function that the provider's library exports; null when the layer was built with other records. */
#define LTTNG_GPU_GL_RECORDS_VERSION 2
typedef const struct lttng_gpu_gl_provider *lttng_gpu_gl_provider_function(uint32_t records_version);

#ifdef __cplusplus
}
#endif
