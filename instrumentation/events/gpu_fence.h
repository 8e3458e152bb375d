/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dma_fence events as LTTng provider gpu_fence: lttng-modules owns the provider dma_fence from 2.14 on, and a
 * second one of that name is refused. Fields are those of the kernel's include/trace/events/dma_fence.h, with
 * context and seqno in full (the kernel's own event cuts both to 32 bits).
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM gpu_fence

#if !defined(LTTNG_GPU_TRACE_GPU_FENCE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_GPU_FENCE_H

#include <lttng/tracepoint-event.h>
#include <instrumentation/gpu_payload.h>

#define LTTNG_GPU_FENCE_FIELDS(integer, hexadecimal, string)                                           \
	string(driver, names.driver)                                                                   \
	string(timeline, names.timeline)                                                               \
	integer(u64, context, fence->context)                                                          \
	integer(u64, seqno, fence->seqno)

/* The classes differ in who may be asked for the names, see modules/probes/lttng-probe-gpu-fence.c. */
#define LTTNG_GPU_FENCE_CLASS(class, names_from)                                                       \
	GPU_PAYLOAD_CLASS(class,                                                                       \
		TP_PROTO(struct dma_fence *fence),                                                     \
		TP_ARGS(fence),                                                                        \
		,                                                                                      \
		struct gpu_fence_names names = names_from(fence);,                                     \
		LTTNG_GPU_FENCE_FIELDS)

#ifdef GPU_PAYLOAD_IS_WRITTEN
#define __event_get_size__gpu_fence_owner GPU_PAYLOAD_SIZE
#define __event_get_size__gpu_fence_anybody GPU_PAYLOAD_SIZE
#endif
LTTNG_GPU_FENCE_CLASS(gpu_fence_owner, gpu_fence_names_from_owner)
LTTNG_GPU_FENCE_CLASS(gpu_fence_anybody, gpu_fence_names_from_anybody)

/* dma_fence_init(): the fence is nobody else's yet. */
#ifdef GPU_TRACEPOINT_dma_fence_init
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(gpu_fence_owner,

	dma_fence_init,

	gpu_fence_init,

	TP_PROTO(struct dma_fence *fence),

	TP_ARGS(fence)
)
#endif

/* Called by those drivers that have it (virtio_gpu_fence_emit() for one) when they send the command. */
#ifdef GPU_TRACEPOINT_dma_fence_emit
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(gpu_fence_owner,

	dma_fence_emit,

	gpu_fence_emit,

	TP_PROTO(struct dma_fence *fence),

	TP_ARGS(fence)
)
#endif

/* __dma_fence_enable_signaling(): the fence's lock is held and it was seen unsignalled. */
#ifdef GPU_TRACEPOINT_dma_fence_enable_signal
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(gpu_fence_owner,

	dma_fence_enable_signal,

	gpu_fence_enable_signal,

	TP_PROTO(struct dma_fence *fence),

	TP_ARGS(fence)
)
#endif

/* dma_fence_signal_timestamp_locked(): under the fence's lock, once in its life. */
#ifdef GPU_TRACEPOINT_dma_fence_signaled
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(gpu_fence_owner,

	dma_fence_signaled,

	gpu_fence_signaled,

	TP_PROTO(struct dma_fence *fence),

	TP_ARGS(fence)
)
#endif

/* dma_fence_wait_timeout(), by the waiting thread; the fence may signal at any moment. */
#ifdef GPU_TRACEPOINT_dma_fence_wait_start
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(gpu_fence_anybody,

	dma_fence_wait_start,

	gpu_fence_wait_start,

	TP_PROTO(struct dma_fence *fence),

	TP_ARGS(fence)
)
#endif

#ifdef GPU_TRACEPOINT_dma_fence_wait_end
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(gpu_fence_anybody,

	dma_fence_wait_end,

	gpu_fence_wait_end,

	TP_PROTO(struct dma_fence *fence),

	TP_ARGS(fence)
)
#endif

/* dma_fence_release(): nearly always signalled, often long after its driver's data is gone. */
#ifdef GPU_TRACEPOINT_dma_fence_destroy
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(gpu_fence_anybody,

	dma_fence_destroy,

	gpu_fence_destroy,

	TP_PROTO(struct dma_fence *fence),

	TP_ARGS(fence)
)
#endif

#endif /* LTTNG_GPU_TRACE_GPU_FENCE_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
