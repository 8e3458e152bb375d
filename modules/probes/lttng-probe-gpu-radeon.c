// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of radeon.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/radeon.h>.
 */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/pfn.h>
#include <lttng/tracer.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>

#include <layout/radeon.h>
#include "gpu_layout.h"

struct radeon_bo;
struct radeon_bo_va;
struct radeon_cs_chunk;
struct radeon_cs_parser;
struct radeon_device;
struct radeon_semaphore;

#ifdef GPU_GROUP_fences
static inline const char *radeon_fence_driver(const struct radeon_device *rdev, int ring)
{
	return gpu_field_address(rdev, radeon_device, fence_drv, const char) + ring * GPU_SIZE_radeon_fence_driver;
}

/* Of the fence that the ring's mutex let in last; radeon_fence_emit() counts it up before it fires. */
static inline u64 radeon_last_emitted(const struct radeon_device *rdev, int ring)
{
	return READ_ONCE(gpu_field_address(radeon_fence_driver(rdev, ring), radeon_fence_driver, sync_seq, u64)[ring]);
}

/* radeon_fence_emit() names its fences so (dma_fence_init()). radeon keeps its device in dev_private. */
static inline u64 radeon_fence_context(const struct drm_device *dev, int ring)
{
	return gpu_field(dev->dev_private, radeon_device, fence_context, u64) + ring;
}

/* The tracepoint has the lower half only; no fence is waited for that was not emitted. */
static inline u64 radeon_fence_seqno(const struct drm_device *dev, int ring, u32 seqno)
{
	u64 last = radeon_last_emitted(dev->dev_private, ring);

	return last - (u32)((u32)last - seqno);
}
#endif

#if defined(GPU_GROUP_fences) && defined(GPU_GROUP_submission)
/*
 * Those not yet seen to be signalled. The kernel's event looks at the hardware first (radeon_fence_process()), which
 * signals fences; a probe does not. The limit is that of radeon_fence_count_emitted().
 */
static inline u32 radeon_fences_emitted(struct radeon_cs_parser *p, u32 ring)
{
	const struct radeon_device *rdev = gpu_field(p, radeon_cs_parser, rdev, struct radeon_device *);
	const atomic64_t *seen = gpu_field_address(radeon_fence_driver(rdev, ring), radeon_fence_driver, last_seq,
						   const atomic64_t);

	return min_t(u64, radeon_last_emitted(rdev, ring) - atomic64_read(seen), 0x10000000);
}

static inline const struct drm_device *radeon_cs_device(struct radeon_cs_parser *p)
{
	return gpu_field(p, radeon_cs_parser, filp, struct drm_file *)->minor->dev;
}

/* A submission need not have commands; the kernel's event reads the chunk nevertheless. */
static inline u32 radeon_cs_length(struct radeon_cs_parser *p)
{
	const struct radeon_cs_chunk *commands = gpu_field(p, radeon_cs_parser, chunk_ib, struct radeon_cs_chunk *);

	return commands ? gpu_field(commands, radeon_cs_chunk, length_dw, u32) : 0;
}
#endif

#define GPU_PROBE_EVENTS <instrumentation/events/radeon.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(radeon);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_radeon_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of radeon");
