/* SPDX-License-Identifier: MIT */
/*
 * The LTTng-UST provider of ust_events.cpp: one event, mostly integers.
 */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER lttng_gpu_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./bench/correlate/ust_events_provider.h"

#if !defined(LTTNG_GPU_BENCH_UST_EVENTS_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_GPU_BENCH_UST_EVENTS_PROVIDER_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(
	lttng_gpu_bench, step,
	LTTNG_UST_TP_ARGS(uint64_t, number, uint32_t, thread, uint32_t, value, const char *, text),
	LTTNG_UST_TP_FIELDS(
		lttng_ust_field_integer(uint64_t, number, number)
		lttng_ust_field_integer(uint32_t, thread, thread)
		lttng_ust_field_integer(uint32_t, value, value)
		lttng_ust_field_string(text, text)
	)
)

#endif

#include <lttng/tracepoint-event.h>
