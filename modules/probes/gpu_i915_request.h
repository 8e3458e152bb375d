/* SPDX-License-Identifier: GPL-2.0-only */
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
#ifndef LTTNG_GPU_I915_REQUEST_H
#define LTTNG_GPU_I915_REQUEST_H

#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/log2.h>

#include "gpu_layout.h"

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

#endif
