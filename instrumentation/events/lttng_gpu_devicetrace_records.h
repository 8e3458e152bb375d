/* SPDX-License-Identifier: MIT */
/*
 * What the device-trace layer (C++) hands to its provider (C): one record per event, with the same names. Strings and
 * arrays are borrowed for the length of the call. docs/device-trace.md says what the events mean.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lttng_gpu_devicetrace_location {
	uint64_t program;
	uint32_t location;
	uint32_t line;
	uint32_t column;
	const char *kind;
	const char *function;
};

struct lttng_gpu_devicetrace_untraced {
	uint64_t program; /* 0: none */
	const char *reason;
	const char *name;
};

struct lttng_gpu_devicetrace_launch {
	uint64_t launch;
	uint64_t program;
	uint64_t kernel;
	uint64_t queue;
	const char *name;
	uint8_t warps;
	uint8_t times;
	uint64_t device; /* whose timer it is; 0: not known */
};

struct lttng_gpu_devicetrace_records {
	uint64_t launch;
	uint32_t part;
	uint32_t bytes; /* of what the words hold, see docs/device-trace.md */
	const uint64_t *words;
	uint32_t words_count;
};

struct lttng_gpu_devicetrace_launch_end {
	uint64_t launch;
	uint64_t chunks; /* that were used */
	uint64_t chunks_there;
	uint64_t lost;
	uint32_t parts;
	int32_t status;
	const uint64_t *local_size;
	const uint64_t *groups;
	uint32_t dimensions; /* of these two; 0: not known */
	uint64_t completed; /* CLOCK_MONOTONIC when it was known; 0: not known */
};

#define LTTNG_GPU_DEVICETRACE_EVENTS(event) event(location) event(untraced) event(launch) event(records) event(launch_end)

#define LTTNG_GPU_DEVICETRACE_MEMBERS(name)                                                            \
	const int *name##_state;                                                                       \
	void (*name)(const struct lttng_gpu_devicetrace_##name *);

struct lttng_gpu_devicetrace_provider {
	LTTNG_GPU_DEVICETRACE_EVENTS(LTTNG_GPU_DEVICETRACE_MEMBERS)
};

#define LTTNG_GPU_DEVICETRACE_RECORDS_VERSION 3

typedef const struct lttng_gpu_devicetrace_provider *lttng_gpu_devicetrace_provider_function(uint32_t records_version);

#ifdef __cplusplus
}
#endif
