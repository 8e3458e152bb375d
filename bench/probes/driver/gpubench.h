/* SPDX-License-Identifier: GPL-2.0-only */
/* The smallest event that LTTng can record: dma_fence_signaled without a field. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM gpubench

#if !defined(LTTNG_GPU_TRACE_GPUBENCH_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_GPUBENCH_H

#include <lttng/tracepoint-event.h>

LTTNG_TRACEPOINT_EVENT_MAP(dma_fence_signaled,

	gpubench_nothing,

	TP_PROTO(struct dma_fence *fence),

	TP_ARGS(fence),

	TP_FIELDS()
)

#endif /* LTTNG_GPU_TRACE_GPUBENCH_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
