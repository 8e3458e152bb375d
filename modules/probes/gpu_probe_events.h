/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes the handlers of an event header, each with its guard (gpu_probe_guard.h). Include this once for each header, with
 *   #define GPU_PROBE_EVENTS <instrumentation/events/PROVIDER.h>
 * after everything that the header's fields are read with. No include guard: a module may have two providers.
 */
#include <lttng/tracepoint-event.h>

#include <modules/base/identity.h>

#include "gpu_probe_guard.h"

/* The first reading gives a guard for every class of events; define_trace.h at the header's end does nothing yet. */
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
#define LTTNG_TRACEPOINT_EVENT(_name, _proto, _args, ...) GPU_PROBE(_name, (_proto), (_args))
#define LTTNG_TRACEPOINT_EVENT_CODE(_name, _proto, _args, ...) GPU_PROBE(_name, (_proto), (_args))
#define LTTNG_TRACEPOINT_EVENT_MAP(_tracepoint, _name, _proto, _args, ...) GPU_PROBE(_name, (_proto), (_args))
#define LTTNG_TRACEPOINT_EVENT_CLASS(_class, _proto, _args, ...) GPU_PROBE(_class, (_proto), (_args))
#define LTTNG_TRACEPOINT_EVENT_CLASS_CODE(_class, _proto, _args, ...) GPU_PROBE(_class, (_proto), (_args))
#define LTTNG_TRACEPOINT_EVENT_INSTANCE(...)
#define LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(...)

#include GPU_PROBE_EVENTS

/* Those that define_trace.h does not set itself. */
#undef LTTNG_TRACEPOINT_EVENT_CLASS
#undef LTTNG_TRACEPOINT_EVENT_CLASS_CODE
#define LTTNG_TRACEPOINT_EVENT_CLASS(...)
#define LTTNG_TRACEPOINT_EVENT_CLASS_CODE(...)

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH instrumentation/events
#undef LTTNG_PACKAGE_BUILD
#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#include GPU_PROBE_EVENTS
#undef GPU_PROBE_EVENTS
