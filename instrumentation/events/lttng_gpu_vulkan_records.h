/* SPDX-License-Identifier: MIT */
/*
 * What the Vulkan layer (C++) hands to the provider (C): one record per event of docs/vulkan-events.md, with the same
 * names. Strings and arrays are borrowed for the length of the call; no pointer is null, but that of an empty array may be.
 * The provider is a library of its own, so that programs run without LTTng too: it is the only one that needs it.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum lttng_gpu_vulkan_validity {
	LTTNG_GPU_VULKAN_VALID,
	LTTNG_GPU_VULKAN_UNAVAILABLE,
	LTTNG_GPU_VULKAN_DISORDERED,
	LTTNG_GPU_VULKAN_IMPLAUSIBLE,
};

enum lttng_gpu_vulkan_untimed_reason {
	LTTNG_GPU_VULKAN_UNSUPPORTED, /* the queue, or a structure of the submission, allows no timestamps around it */
	LTTNG_GPU_VULKAN_TOO_LARGE,   /* more batches or command buffers than the layer has room for */
	LTTNG_GPU_VULKAN_BACKLOG,     /* too many submissions of the queue were not complete */
	LTTNG_GPU_VULKAN_EXIT,        /* not complete when the program ended, or the device was lost */
	LTTNG_GPU_VULKAN_UNTIMED_REASONS
};

struct lttng_gpu_vulkan_call {
	uint64_t begin_ns;
	int32_t result;
	uint16_t function;
};

struct lttng_gpu_vulkan_call_begin {
	uint16_t function;
};

struct lttng_gpu_vulkan_submit {
	uint64_t begin_ns;
	int32_t result;
	uint16_t function;
	uint64_t queue, submission;
	uint32_t command_buffers, waits, signals;
	uint64_t fence;
	uint8_t timed; /* command_times will tell when it ran, or commands_untimed that it will not */
};

struct lttng_gpu_vulkan_frame {
	uint64_t begin_ns;
	int32_t result;
	uint16_t function;
	uint64_t frame, surface, context;
	uint32_t draws, dispatches, uploads;
};

struct lttng_gpu_vulkan_wait {
	uint64_t begin_ns;
	int32_t result;
	uint16_t function;
	uint64_t timeout;
};

struct lttng_gpu_vulkan_pipeline {
	uint64_t begin_ns;
	int32_t result;
	uint16_t function;
	uint32_t count;
};

struct lttng_gpu_vulkan_command_buffers {
	uint64_t device, begins, ends, resets;
};

/* Of one or more submissions, `count` in each array. */
struct lttng_gpu_vulkan_command_times {
	uint64_t queue, observed_ns;
	const uint64_t *command, *queued, *submit, *start, *end;
	uint32_t count;
	int32_t status;
	uint8_t validity;
};

struct lttng_gpu_vulkan_commands_untimed {
	uint64_t queue, count;
	uint8_t reason;
};

struct lttng_gpu_vulkan_device {
	uint64_t device, physical_device, instance;
	const char *name;
	uint32_t vendor, driver_version, api_version;
	uint64_t timer_resolution;
	uint8_t calibrated;
};

struct lttng_gpu_vulkan_queue {
	uint64_t device, queue;
	uint32_t family, index, flags, timestamp_bits;
	uint8_t timed;
};

struct lttng_gpu_vulkan_device_clock {
	uint64_t device, device_time, before_ns, after_ns;
};

struct lttng_gpu_vulkan_object_name {
	uint64_t device, object;
	uint32_t type;
	const char *name;
};

struct lttng_gpu_vulkan_label_begin {
	uint64_t queue;
	const char *name;
};

struct lttng_gpu_vulkan_label_end {
	uint64_t queue;
};

struct lttng_gpu_vulkan_label_insert {
	uint64_t queue;
	const char *name;
};

#define LTTNG_GPU_VULKAN_EVENTS(X)                                                                     \
	X(call) X(call_begin) X(submit) X(frame) X(wait) X(pipeline) X(command_buffers)                \
	X(command_times) X(commands_untimed) X(device) X(queue) X(device_clock) X(object_name)      \
	X(label_begin) X(label_end) X(label_insert)

/* An event is enabled while *state is not 0. Writing one that is not enabled does nothing. */
struct lttng_gpu_vulkan_provider {
#define LTTNG_GPU_VULKAN_MEMBER(name)                                                                  \
	const int *name##_state;                                                                       \
	void (*name)(const struct lttng_gpu_vulkan_##name *record);
	LTTNG_GPU_VULKAN_EVENTS(LTTNG_GPU_VULKAN_MEMBER)
#undef LTTNG_GPU_VULKAN_MEMBER
	/* Around fork(); without liblttng-ust-fork the child does not record. 0 when that is loaded. */
	int (*follows_fork)(void);
};

/*
 * The one function that the provider's library exports; null when the layer was built with other records, and for the
 * second copy of the layer in a program: each call is recorded once.
 */
#define LTTNG_GPU_VULKAN_RECORDS_VERSION 2
typedef const struct lttng_gpu_vulkan_provider *lttng_gpu_vulkan_provider_function(uint32_t records_version);

#ifdef __cplusplus
}
#endif
