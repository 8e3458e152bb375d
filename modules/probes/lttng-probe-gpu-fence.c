// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of dma_fence, as provider gpu_fence.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/gpu_fence.h>.
 */
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <lttng/tracer.h>

#include <layout/gpu_fence.h>

/*
 * The names of a fence, for handlers under gpu_probe_guard.h: an RCU read-side section, which a handler leaves only
 * after it has copied the names. A fence owns its driver and timeline names through fence->ops, and only until it
 * signals: afterwards the driver may be gone, and since "dma-buf: detach fence ops on signal" (541c8f2468b9) ops is
 * NULL.
 */

struct gpu_fence_names {
	const char *driver;
	const char *timeline;
};

/*
 * For handlers that the fence's own driver calls, or that run under the fence's lock before it has signalled: the
 * driver cannot go away meanwhile, and ops is cleared only after the tracepoint (dma_fence_signal_timestamp_locked()).
 */
static inline struct gpu_fence_names gpu_fence_names_from_owner(struct dma_fence *fence)
{
	const struct dma_fence_ops *ops = rcu_dereference_raw(fence->ops);

	if (!ops)
		return (struct gpu_fence_names){ "", "" };
	return (struct gpu_fence_names){ ops->get_driver_name(fence), ops->get_timeline_name(fence) };
}

/*
 * For handlers that anybody who holds a reference may call at any time. Before 6.17 drivers did not promise a
 * grace period between signalling and freeing the names, so nothing is safe to call and the names are empty.
 */
static inline struct gpu_fence_names gpu_fence_names_from_anybody(struct dma_fence *fence)
{
#if defined(GPU_FUNCTION_dma_fence_driver_name) && defined(GPU_FUNCTION_dma_fence_timeline_name)
	return (struct gpu_fence_names){ (const char __force *)dma_fence_driver_name(fence),
					 (const char __force *)dma_fence_timeline_name(fence) };
#else
	return (struct gpu_fence_names){ "", "" };
#endif
}

#define GPU_PROBE_EVENTS <instrumentation/events/gpu_fence.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(gpu_fence);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_fence_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of dma_fence, as provider gpu_fence");
