/* SPDX-License-Identifier: MIT */
/*
 * What the layer (C++) hands to the provider (C): one record per event of docs/hsa-events.md, with the same names.
 * Strings and arrays are borrowed for the length of the call; no pointer is null, but that of an empty array may be.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum lttng_gpu_hsa_validity {
	LTTNG_GPU_HSA_VALID,
	LTTNG_GPU_HSA_UNAVAILABLE,
	LTTNG_GPU_HSA_DISORDERED,
	LTTNG_GPU_HSA_IMPLAUSIBLE,
};

/* Whether command_times of a packet can come. */
enum lttng_gpu_hsa_times {
	LTTNG_GPU_HSA_EXPECTED,
	LTTNG_GPU_HSA_NO_SIGNAL,    /* the packet has no completion signal, or is of a kind that the device does not time */
	LTTNG_GPU_HSA_NO_PROFILING, /* not wanted, or the runtime refused */
	LTTNG_GPU_HSA_SEEN_LATE,    /* the device may have begun with it before the layer saw it */
	LTTNG_GPU_HSA_NO_MEMORY,    /* the layer could not note the signal */
};

enum lttng_gpu_hsa_untimed_reason {
	LTTNG_GPU_HSA_EXIT, /* not complete when the program or the runtime ended */
};

struct lttng_gpu_hsa_call {
	uint64_t begin_ns;
	int32_t result;
	uint16_t function;
};

struct lttng_gpu_hsa_call_begin {
	uint16_t function;
};

struct lttng_gpu_hsa_doorbell {
	uint64_t begin_ns;
	uint64_t queue, write_index, packets, missed;
	uint16_t function;
};

struct lttng_gpu_hsa_packet {
	uint64_t command, queue, index, begin_ns, reserved_ns;
	uint64_t signal, kernel;
	const char *name;
	const uint64_t *waits_for, *grid_size, *workgroup_size;
	uint32_t waits_for_count, dimensions;
	uint32_t private_bytes, group_bytes;
	uint16_t header;
	uint16_t function;
	uint8_t type, times;
};

/* Of one or more packets, `count` in each array. */
struct lttng_gpu_hsa_command_times {
	uint64_t queue, observed_ns;
	const uint64_t *command, *queued, *submit, *start, *end;
	uint32_t count;
	int32_t status;
	uint8_t validity;
};

struct lttng_gpu_hsa_commands_untimed {
	uint64_t queue, count;
	uint8_t reason;
};

struct lttng_gpu_hsa_device {
	uint64_t device;
	const char *name, *isa, *vendor;
	uint32_t node, location;
	uint64_t timer_resolution;
};

struct lttng_gpu_hsa_queue {
	uint64_t queue, device, doorbell, ring, id;
	uint32_t size;
	uint8_t profiling;
};

struct lttng_gpu_hsa_queue_create {
	uint64_t begin_ns;
	int32_t result;
	uint64_t queue, device;
	uint32_t size;
	uint16_t function;
};

struct lttng_gpu_hsa_queue_destroy {
	uint64_t begin_ns;
	int32_t result;
	uint64_t queue;
	uint16_t function;
};

struct lttng_gpu_hsa_device_clock {
	uint64_t device, device_time, before_ns, after_ns;
};

struct lttng_gpu_hsa_kernel {
	uint64_t kernel;
	const char *name;
};

#define LTTNG_GPU_HSA_EVENTS(X)                                                                        \
	X(call) X(call_begin) X(doorbell) X(packet) X(command_times) X(commands_untimed)               \
	X(device) X(queue) X(queue_create) X(queue_destroy) X(device_clock) X(kernel)

/* An event is enabled while *state is not 0. Writing one that is not enabled does nothing. */
struct lttng_gpu_hsa_provider {
#define LTTNG_GPU_HSA_MEMBER(name)                                                                     \
	const int *name##_state;                                                                       \
	void (*name)(const struct lttng_gpu_hsa_##name *record);
	LTTNG_GPU_HSA_EVENTS(LTTNG_GPU_HSA_MEMBER)
#undef LTTNG_GPU_HSA_MEMBER
	/* Around fork(); without liblttng-ust-fork the child does not record. 0 when that is loaded. */
	int (*follows_fork)(void);
};

/* The one function that the provider's library exports; null when the layer was built with other records. */
#define LTTNG_GPU_HSA_RECORDS_VERSION 1
typedef const struct lttng_gpu_hsa_provider *lttng_gpu_hsa_provider_function(uint32_t records_version);

#ifdef __cplusplus
}
#endif
