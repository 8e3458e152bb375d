/* SPDX-License-Identifier: MIT */
/* Tracepoints against which OpenCL's calls are measured: one without fields, one with those of a call. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER lttng_gpu_bench_opencl

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./bench/opencl/bench_provider.h"

#if !defined(LTTNG_GPU_BENCH_OPENCL_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_GPU_BENCH_OPENCL_PROVIDER_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(lttng_gpu_bench_opencl, empty, LTTNG_UST_TP_ARGS(), LTTNG_UST_TP_FIELDS())

LTTNG_UST_TRACEPOINT_EVENT(lttng_gpu_bench_opencl, call,
                           LTTNG_UST_TP_ARGS(uint32_t, function, int32_t, result, uint64_t, begin_ns),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, function, function)
                                               lttng_ust_field_integer(int32_t, result, result)
                                               lttng_ust_field_integer(uint64_t, begin_ns, begin_ns)))

#endif

#include <lttng/tracepoint-event.h>
