/* SPDX-License-Identifier: MIT */
/* What the device-trace layer records (LTTng-UST); docs/device-trace.md says what the events mean. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER lttng_gpu_devicetrace

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "instrumentation/events/lttng_gpu_devicetrace.h"

#include "instrumentation/events/lttng_gpu_fields.h"

#if !defined(LTTNG_GPU_DEVICETRACE_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_GPU_DEVICETRACE_EVENTS_H

#include <lttng/tracepoint.h>
#include "instrumentation/events/lttng_gpu_devicetrace_records.h"
#include "instrumentation/events/lttng_gpu_piece.h"

#define gpu_event(_name, ...)                                                                          \
	LTTNG_UST_TRACEPOINT_EVENT(lttng_gpu_devicetrace, _name,                                       \
		LTTNG_UST_TP_ARGS(const struct lttng_gpu_devicetrace_##_name *, r), gpu_fields(__VA_ARGS__))

gpu_event(location,
	gpu_integer(uint64_t, program, r->program)
	gpu_integer(uint32_t, location, r->location)
	gpu_integer(uint32_t, line, r->line)
	gpu_integer(uint32_t, column, r->column)
	gpu_string(kind, r->kind)
	gpu_string(function, r->function))

gpu_event(untraced,
	gpu_integer(uint64_t, program, r->program)
	gpu_string(reason, r->reason)
	gpu_string(name, r->name))

gpu_event(launch,
	gpu_integer(uint64_t, launch, r->launch)
	gpu_integer(uint64_t, program, r->program)
	gpu_integer_hex(uint64_t, kernel, r->kernel)
	gpu_integer_hex(uint64_t, queue, r->queue)
	gpu_string(name, r->name)
	gpu_integer(uint8_t, warps, r->warps)
	gpu_integer(uint8_t, times, r->times)
	gpu_integer_hex(uint64_t, device, r->device))

gpu_event(records,
	gpu_integer(uint64_t, launch, r->launch)
	gpu_integer(uint32_t, part, r->part)
	gpu_integer(uint32_t, bytes, r->bytes)
	gpu_sequence_hex(uint64_t, words, r->words, r->words_count))

gpu_event(launch_end,
	gpu_integer(uint64_t, launch, r->launch)
	gpu_integer(uint64_t, chunks, r->chunks)
	gpu_integer(uint64_t, chunks_there, r->chunks_there)
	gpu_integer(uint64_t, lost, r->lost)
	gpu_integer(uint32_t, parts, r->parts)
	gpu_integer(int32_t, status, r->status)
	gpu_sequence(uint64_t, local_size, r->local_size, r->dimensions)
	gpu_sequence(uint64_t, groups, r->groups, r->dimensions)
	gpu_integer(uint64_t, completed, r->completed))

#endif

#include <lttng/tracepoint-event.h>
