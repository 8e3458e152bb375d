// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of i915, as providers i915 and, for those events whose names begin so, intel.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/i915.h>.
 */
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/init.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/i915.h>

/* i915 has no tracepoint where the kernel has PREEMPT_RT (i915_trace.h, from the patches of that project in 6.12). */
#ifndef GPU_TRACEPOINT_i915_request_add
#define GPU_DRIVER_HAS_TRACEPOINTS 0
#endif
#include "gpu_layout.h"
#include "gpu_probe_guard.h"

#if defined(GPU_RECREATED_i915_request_submit) || defined(GPU_RECREATED_i915_request_execute) ||       \
	defined(GPU_RECREATED_i915_request_in) || defined(GPU_RECREATED_i915_request_out) ||           \
	defined(GPU_RECREATED_i915_request_guc_submit)
#define LTTNG_GPU_I915_RECREATED 1
#include "gpu_i915_hooks.h" /* kprobes are a matter of their own */
#else
#define LTTNG_GPU_I915_RECREATED 0
static int gpu_i915_hooks_init(void) { return 0; }
static void gpu_i915_hooks_exit(void) {}
#endif

/*
 * What the i915 events say of a request and its device.
 *
 * The device outlives its requests: its name is read through drm_device::dev, which drm_dev_init() holds until the DRM
 * device itself goes, as long as the minor that the kernel's own events read.
 *
 * The engine does not always outlive the request. i915_request_retire() drops the request's hold on its context, and
 * with it a virtual engine may be freed while others still hold the request; guc_virtual_engine is freed without a
 * grace period. i915_fence_release() therefore trusts request->engine only if execution_mask has a single bit, and so
 * do the events that any holder of the request can fire (wait_begin, wait_end). The others fire before the request is
 * retired.
 */

struct drm_i915_private;
struct i915_request;

struct gpu_i915_request_facts {
	const struct dma_fence *fence;
	u32 minor;
	u16 class;
	u16 instance;
};

#ifdef GPU_GROUP_device
static inline int gpu_i915_minor(struct drm_i915_private *i915)
{
	struct drm_minor *primary = gpu_field(i915, drm_i915_private, drm_primary, struct drm_minor *);

	return gpu_field(primary, drm_minor, index, int);
}
#endif

#if defined(GPU_GROUP_device) && defined(GPU_GROUP_request)
static inline struct gpu_i915_request_facts gpu_i915_request_facts(struct i915_request *rq, bool trust_engine)
{
	struct drm_i915_private *i915 = gpu_field(rq, i915_request, i915, struct drm_i915_private *);
	struct intel_engine_cs *engine = gpu_field(rq, i915_request, engine, struct intel_engine_cs *);

	return (struct gpu_i915_request_facts){
		.fence = gpu_field_address(rq, i915_request, fence, const struct dma_fence),
		.minor = gpu_i915_minor(i915),
		.class = trust_engine ? gpu_field(engine, intel_engine_cs, uabi_class, u16) : U16_MAX,
		.instance = trust_engine ? gpu_field(engine, intel_engine_cs, uabi_instance, u16) : U16_MAX,
	};
}

static inline const char *gpu_i915_device_name(struct i915_request *rq)
{
	struct drm_i915_private *i915 = gpu_field(rq, i915_request, i915, struct drm_i915_private *);

	return dev_name(gpu_field(i915, drm_i915_private, drm_dev, struct device *));
}

static inline struct gpu_i915_request_facts gpu_i915_request_facts_from_owner(struct i915_request *rq)
{
	return gpu_i915_request_facts(rq, true);
}

/* Class and instance are 65535, as I915_ENGINE_CLASS_INVALID is, where a virtual engine could be gone. */
static inline struct gpu_i915_request_facts gpu_i915_request_facts_from_anybody(struct i915_request *rq)
{
	return gpu_i915_request_facts(rq, is_power_of_2(gpu_field(rq, i915_request, execution_mask, u32)));
}
#endif

#if defined(GPU_GROUP_request) && defined(GPU_GROUP_completion)
/* i915_request_completed(). A signalled request may outlive its status page, which is freed after a grace period. */
static inline bool gpu_i915_request_completed(struct i915_request *rq)
{
	const struct dma_fence *fence = gpu_field_address(rq, i915_request, fence, const struct dma_fence);
	const u32 *status_page = gpu_field(rq, i915_request, hwsp_seqno, const u32 *);

	return test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags) ||
	       (s32)(READ_ONCE(*status_page) - (u32)fence->seqno) >= 0;
}
#endif

struct drm_i915_gem_object;
struct drm_mm_node;
struct i915_address_space;
struct i915_gem_context;
struct i915_vma;
struct intel_context;

#if defined(GPU_TRACEPOINT_i915_request_submit) || defined(GPU_RECREATED_i915_request_submit) ||       \
	defined(GPU_TRACEPOINT_i915_request_execute) || defined(GPU_RECREATED_i915_request_execute) || \
	defined(GPU_TRACEPOINT_i915_request_guc_submit) || defined(GPU_RECREATED_i915_request_guc_submit)
#define LTTNG_GPU_I915_HAS_LOW_LEVEL 1
#endif

#define GPU_PROBE_EVENTS <instrumentation/events/i915.h>
#include "gpu_probe_events.h"

#if defined(GPU_TRACEPOINT_intel_gpu_freq_change) || defined(GPU_TRACEPOINT_intel_context_create)
#define GPU_PROBE_EVENTS <instrumentation/events/intel.h>
#include "gpu_probe_events.h"
#define gpu_take_intel() gpu_provider_take(intel)
#define gpu_forget_intel() gpu_provider_forget(intel)
#else
#define gpu_take_intel() 0
#define gpu_forget_intel() ((void)0)
static int __lttng_events_init__intel(void) { return 0; }
static void __lttng_events_exit__intel(void) {}
#endif

/* As GPU_PROBE_MODULE() does for one provider. */
static int __init gpu_probe_init(void)
{
	int error = gpu_kernel_check();

	if (error)
		return error;
	gpu_source_prepare(&gpu_source);
	error = gpu_provider_take(i915);
	if (error)
		return error;
	error = gpu_take_intel();
	if (error)
		goto no_intel_taps;
	error = gpu_source_begin(&gpu_source);
	if (error)
		goto no_source;
	error = gpu_i915_hooks_init();
	if (error)
		goto no_hooks;
	error = __lttng_events_init__i915();
	if (error)
		goto no_i915;
	error = __lttng_events_init__intel();
	if (!error)
		return 0;

	__lttng_events_exit__i915();
no_i915:
	gpu_i915_hooks_exit();
no_hooks:
	gpu_source_end(&gpu_source);
no_source:
	gpu_forget_intel();
no_intel_taps:
	gpu_provider_forget(i915);
	return error;
}

static void __exit gpu_probe_exit(void)
{
	__lttng_events_exit__intel();
	__lttng_events_exit__i915();
	gpu_i915_hooks_exit();
	gpu_source_end(&gpu_source);
	gpu_forget_intel();
	gpu_provider_forget(i915);
}

module_init(gpu_probe_init);
module_exit(gpu_probe_exit);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_i915_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of i915, as providers i915 and intel");
