/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes the handlers of an event header, and its taps (gpu_probe_guard.h). Include this once for each header, with
 *   #define GPU_PROBE_EVENTS <instrumentation/events/PROVIDER.h>
 * after everything that the header's fields are read with, and GPU_PROBE_EVENTS_PATH if it is in another folder. No include guard: a module may have two providers.
 */
#include <lttng/tracepoint-event.h>

#include <modules/base/identity.h>

#include "gpu_probe_guard.h"

/* An earlier provider's define_trace.h has made DECLARE_TRACE() nothing; this part of the header can be read again. */
#undef DECLARE_TRACE
#undef TP_PROTO
#undef TP_ARGS
#undef TP_CONDITION
#include <linux/tracepoint.h>

/* The first reading gives a tap for every event; define_trace.h at the header's end does nothing yet. */
#undef CREATE_TRACE_POINTS
#undef TP_PROTO
#undef TP_ARGS
#undef LTTNG_TRACEPOINT_EVENT
#undef LTTNG_TRACEPOINT_EVENT_CODE
#undef LTTNG_TRACEPOINT_EVENT_MAP
#undef LTTNG_TRACEPOINT_EVENT_CLASS
#undef LTTNG_TRACEPOINT_EVENT_CLASS_CODE
#undef LTTNG_TRACEPOINT_EVENT_INSTANCE
#undef LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP
#define TP_PROTO(...) __VA_ARGS__
#define TP_ARGS(...) __VA_ARGS__
#define LTTNG_TRACEPOINT_EVENT(_name, _proto, _args, ...) GPU_TAP(_name, (_proto), (_args))
#define LTTNG_TRACEPOINT_EVENT_CODE(_name, _proto, _args, ...) GPU_TAP(_name, (_proto), (_args))
#define LTTNG_TRACEPOINT_EVENT_MAP(_tracepoint, _name, _proto, _args, ...) GPU_TAP(_tracepoint, (_proto), (_args))
#define LTTNG_TRACEPOINT_EVENT_CLASS(...)
#define LTTNG_TRACEPOINT_EVENT_CLASS_CODE(...)
#define LTTNG_TRACEPOINT_EVENT_INSTANCE(_class, _name, _proto, _args) GPU_TAP(_name, (_proto), (_args))
#define LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(_class, _tracepoint, _name, _proto, _args) GPU_TAP(_tracepoint, (_proto), (_args))

/* What the probe recreates has its tap in gpu_i915_hooks.h. */
#define GPU_TAP(_tracepoint, _proto, _args) __PASTE(GPU_TAP_RECREATED_, __is_defined(GPU_RECREATED_##_tracepoint))(_tracepoint, _proto, _args)
#define GPU_TAP_RECREATED_0(_tracepoint, _proto, _args) GPU_TAP_DEFINE(_tracepoint, _proto, _args);
#define GPU_TAP_RECREATED_1(_tracepoint, _proto, _args)

#include GPU_PROBE_EVENTS

/* The second reading lists them. */
#undef GPU_TAP
#define GPU_TAP(_tracepoint, _proto, _args) &gpu_tap_##_tracepoint,
#define TRACE_HEADER_MULTI_READ
static struct gpu_tap *const __PASTE(gpu_taps_, TRACE_SYSTEM)[] = {
#include GPU_PROBE_EVENTS
};
#undef TRACE_HEADER_MULTI_READ
#undef GPU_TAP
#undef GPU_TAP_RECREATED_0
#undef GPU_TAP_RECREATED_1

/* Those that define_trace.h does not set itself. */
#undef LTTNG_TRACEPOINT_EVENT_CLASS
#undef LTTNG_TRACEPOINT_EVENT_CLASS_CODE
#define LTTNG_TRACEPOINT_EVENT_CLASS(...)
#define LTTNG_TRACEPOINT_EVENT_CLASS_CODE(...)

#undef TRACE_INCLUDE_PATH
#ifdef GPU_PROBE_EVENTS_PATH
#define TRACE_INCLUDE_PATH GPU_PROBE_EVENTS_PATH
#else
#define TRACE_INCLUDE_PATH instrumentation/events
#endif
#undef LTTNG_PACKAGE_BUILD
#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#include GPU_PROBE_EVENTS
#undef GPU_PROBE_EVENTS
