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

#include "gpu_probe_guard.h"

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

#ifdef GPU_TRACEPOINT_radeon_cs
GPU_PROBE(radeon_cs, (struct radeon_cs_parser *p), (p))
#endif
#ifdef GPU_TRACEPOINT_radeon_fence_emit
GPU_PROBE(radeon_fence_emit, (struct drm_device *dev, int ring, u32 seqno), (dev, ring, seqno))
#endif
#if defined(GPU_TRACEPOINT_radeon_fence_wait_begin) || defined(GPU_TRACEPOINT_radeon_fence_wait_end)
GPU_PROBE(radeon_fence_wait, (struct drm_device *dev, int ring, u32 seqno), (dev, ring, seqno))
#endif
#if defined(GPU_TRACEPOINT_radeon_semaphore_signale) || defined(GPU_TRACEPOINT_radeon_semaphore_wait)
GPU_PROBE(radeon_semaphore, (int ring, struct radeon_semaphore *sem), (ring, sem))
#endif
#ifdef GPU_TRACEPOINT_radeon_bo_create
GPU_PROBE(radeon_bo_create, (struct radeon_bo *bo), (bo))
#endif
#ifdef GPU_TRACEPOINT_radeon_vm_grab_id
GPU_PROBE(radeon_vm_grab_id, (unsigned int vmid, int ring), (vmid, ring))
#endif
#ifdef GPU_TRACEPOINT_radeon_vm_bo_update
GPU_PROBE(radeon_vm_bo_update, (struct radeon_bo_va *bo_va), (bo_va))
#endif
#ifdef GPU_TRACEPOINT_radeon_vm_set_page
GPU_PROBE(radeon_vm_set_page, (u64 pe, u64 addr, unsigned int count, u32 incr, u32 flags),
	  (pe, addr, count, incr, flags))
#endif
#ifdef GPU_TRACEPOINT_radeon_vm_flush
GPU_PROBE(radeon_vm_flush, (u64 pd_addr, unsigned int ring, unsigned int id), (pd_addr, ring, id))
#endif

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events

#include <instrumentation/events/radeon.h>

GPU_PROBE_MODULE(radeon);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_radeon_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of radeon");
