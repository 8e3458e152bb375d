/* SPDX-License-Identifier: MIT */
/*
 * What the layer (C++) hands to the provider (C): one record per event of docs/opencl-events.md, with the same names.
 * Strings and arrays are borrowed for the length of the call; no pointer is null, but that of an empty array may be.
 * The provider is a library of its own, so that programs run without LTTng too: it is the only one that needs it.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum lttng_gpu_opencl_validity {
	LTTNG_GPU_OPENCL_VALID,
	LTTNG_GPU_OPENCL_UNAVAILABLE,
	LTTNG_GPU_OPENCL_DISORDERED,
	LTTNG_GPU_OPENCL_IMPLAUSIBLE,
};

enum lttng_gpu_opencl_untimed_reason {
	LTTNG_GPU_OPENCL_NO_PROFILING, /* the queue was made before a session wanted times, or the driver refused */
	LTTNG_GPU_OPENCL_NO_EVENT,     /* the function gives no event that could be asked */
	LTTNG_GPU_OPENCL_BACKLOG,      /* too many commands were waiting */
	LTTNG_GPU_OPENCL_EXIT,         /* not complete when the program ended */
	LTTNG_GPU_OPENCL_NO_MEMORY,    /* the layer could not note the command */
	LTTNG_GPU_OPENCL_UNTIMED_REASONS
};

enum lttng_gpu_opencl_profiling {
	LTTNG_GPU_OPENCL_PROFILING_OFF,
	LTTNG_GPU_OPENCL_PROFILING_APPLICATION,
	LTTNG_GPU_OPENCL_PROFILING_LAYER,
};

enum lttng_gpu_opencl_program_origin {
	LTTNG_GPU_OPENCL_FROM_SOURCE,
	LTTNG_GPU_OPENCL_FROM_BINARY,
	LTTNG_GPU_OPENCL_FROM_IL,
	LTTNG_GPU_OPENCL_BUILT_IN,
	LTTNG_GPU_OPENCL_LINKED,
};

enum lttng_gpu_opencl_object_kind {
	LTTNG_GPU_OPENCL_DEVICE,
	LTTNG_GPU_OPENCL_CONTEXT,
	LTTNG_GPU_OPENCL_QUEUE,
	LTTNG_GPU_OPENCL_MEMORY,
	LTTNG_GPU_OPENCL_SAMPLER,
	LTTNG_GPU_OPENCL_PROGRAM,
	LTTNG_GPU_OPENCL_KERNEL,
	LTTNG_GPU_OPENCL_EVENT,
	LTTNG_GPU_OPENCL_COMMAND_BUFFER,
};

struct lttng_gpu_opencl_call {
	uint64_t begin_ns;
	int32_t result;
	uint16_t function;
};

struct lttng_gpu_opencl_call_begin {
	uint16_t function;
};

/* Of a queue: for its commands up to `newest`. Of events: for the commands `waits_for`, the first of `events`. */
struct lttng_gpu_opencl_wait {
	uint64_t begin_ns, queue, newest;
	const uint64_t *waits_for;
	uint32_t waits_for_count, events;
	int32_t result;
	uint16_t function;
};

/* Common to the events of enqueueing. */
struct lttng_gpu_opencl_command {
	uint64_t command, queue, event, begin_ns;
	uint32_t type;
	uint8_t blocking;
	const uint64_t *waits_for;
	uint32_t waits_for_count;
	uint16_t function;
};

struct lttng_gpu_opencl_kernel_enqueue {
	struct lttng_gpu_opencl_command common;
	uint64_t kernel;
	const char *name;
	const uint64_t *global_offset, *global_size, *local_size;
	uint32_t global_offset_count, global_size_count, local_size_count;
};

struct lttng_gpu_opencl_transfer_enqueue {
	struct lttng_gpu_opencl_command common;
	uint64_t source, destination, bytes;
};

struct lttng_gpu_opencl_command_enqueue {
	struct lttng_gpu_opencl_command common;
};

struct lttng_gpu_opencl_command_buffer_enqueue {
	struct lttng_gpu_opencl_command common;
	uint64_t buffer, commands;
};

/* Of one or more commands, `count` in each array. */
struct lttng_gpu_opencl_command_times {
	uint64_t queue, observed_ns;
	const uint64_t *command, *type, *queued, *submit, *start, *end;
	uint32_t count;
	int32_t status;
	uint8_t validity;
};

struct lttng_gpu_opencl_commands_untimed {
	uint64_t queue, count;
	uint8_t reason;
};

struct lttng_gpu_opencl_user_event_status {
	uint64_t command;
	int32_t status;
};

struct lttng_gpu_opencl_device {
	uint64_t device, platform, parent, type;
	const char *name, *vendor, *driver_version, *platform_name;
	uint64_t timer_resolution;
};

struct lttng_gpu_opencl_queue {
	uint64_t queue, context, device, properties;
	uint8_t profiling;
};

struct lttng_gpu_opencl_device_clock {
	uint64_t device, device_time, before_ns, after_ns;
};

struct lttng_gpu_opencl_context_create {
	uint64_t context;
	const uint64_t *devices;
	uint32_t devices_count;
};

struct lttng_gpu_opencl_program_create {
	uint64_t program, context, bytes;
	uint8_t origin;
};

struct lttng_gpu_opencl_program_build {
	uint64_t program, begin_ns;
	int32_t result;
};

struct lttng_gpu_opencl_kernel_create {
	uint64_t kernel, program;
	const char *name;
};

struct lttng_gpu_opencl_memory_create {
	uint64_t memory, context, parent, flags, bytes, width, height, depth;
	uint32_t type;
};

struct lttng_gpu_opencl_svm_alloc {
	uint64_t address, context, flags, bytes;
};

struct lttng_gpu_opencl_svm_free {
	uint64_t address;
};

struct lttng_gpu_opencl_sampler_create {
	uint64_t sampler, context;
};

struct lttng_gpu_opencl_user_event_create {
	uint64_t command, event, context;
};

struct lttng_gpu_opencl_object_retain {
	uint64_t object;
	uint64_t begin_ns;
	int32_t result;
	uint16_t function;
	uint8_t kind;
};

struct lttng_gpu_opencl_object_release {
	uint64_t object;
	uint64_t begin_ns;
	int32_t result;
	uint16_t function;
	uint8_t kind;
};

#define LTTNG_GPU_OPENCL_EVENTS(X)                                                                     \
	X(call) X(call_begin) X(wait)                                                                  \
	X(kernel_enqueue) X(transfer_enqueue) X(command_enqueue) X(command_buffer_enqueue)             \
	X(command_times) X(commands_untimed) X(user_event_status)                                      \
	X(device) X(queue) X(device_clock)                                                             \
	X(context_create) X(program_create) X(program_build) X(kernel_create) X(memory_create)         \
	X(svm_alloc) X(svm_free) X(sampler_create) X(user_event_create) X(object_retain) X(object_release)

/* An event is enabled while *state is not 0. Writing one that is not enabled does nothing. */
struct lttng_gpu_opencl_provider {
#define LTTNG_GPU_OPENCL_MEMBER(name)                                                                  \
	const int *name##_state;                                                                       \
	void (*name)(const struct lttng_gpu_opencl_##name *record);
	LTTNG_GPU_OPENCL_EVENTS(LTTNG_GPU_OPENCL_MEMBER)
#undef LTTNG_GPU_OPENCL_MEMBER
	/* Around fork(); without liblttng-ust-fork the child does not record. 0 when that is loaded. */
	int (*follows_fork)(void);
};

/* The one function that the provider's library exports; null when the layer was built with other records. */
#define LTTNG_GPU_OPENCL_RECORDS_VERSION 4
typedef const struct lttng_gpu_opencl_provider *lttng_gpu_opencl_provider_function(uint32_t records_version);

#ifdef __cplusplus
}
#endif
