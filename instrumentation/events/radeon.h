/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * radeon events: drivers/gpu/drm/radeon/radeon_trace.h, with its fields. dev is the number of the DRM device, dev_name its
 * name. The fence events add the context of the fence and have its seqno in full, where the kernel cuts it to 32 bits:
 * the fence's end is a gpu_fence_signaled.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM radeon

#if !defined(LTTNG_GPU_TRACE_RADEON_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_RADEON_H

#include <lttng/tracepoint-event.h>

#ifdef GPU_TRACEPOINT_radeon_cs
/*
 * radeon_cs_ioctl(): the buffers are reserved, the commands come next. Their fence is the last one that the same thread
 * emits on this ring in the ioctl: updates of page tables go first, by the ring of the DMA engine.
 */
LTTNG_TRACEPOINT_EVENT(radeon_cs,

	TP_PROTO(struct radeon_cs_parser *p),

	TP_ARGS(p),

	TP_FIELDS(
		ctf_integer(u32, dev, radeon_cs_device(p)->primary->index)
		ctf_integer(u32, ring, gpu_field(p, radeon_cs_parser, ring, u32))
		ctf_integer(u32, dw, radeon_cs_length(p))
		ctf_integer(u32, fences, radeon_fences_emitted(p, gpu_field(p, radeon_cs_parser, ring, u32)))
		ctf_string(dev_name, dev_name(radeon_cs_device(p)->dev))
	)
)
#endif

#define LTTNG_GPU_RADEON_FENCE_FIELDS                                                                  \
	ctf_integer(u32, dev, dev->primary->index)                                                     \
	ctf_integer(int, ring, ring)                                                                   \
	ctf_integer(u64, context, radeon_fence_context(dev, ring))                                     \
	ctf_integer(u64, seqno, radeon_fence_seqno(dev, ring, seqno))

#ifdef GPU_TRACEPOINT_radeon_fence_emit
/* radeon_fence_emit(): the command that signals the fence is in the ring, behind the commands that it ends. */
LTTNG_TRACEPOINT_EVENT(radeon_fence_emit,

	TP_PROTO(struct drm_device *dev, int ring, u32 seqno),

	TP_ARGS(dev, ring, seqno),

	TP_FIELDS(
		LTTNG_GPU_RADEON_FENCE_FIELDS
		ctf_string(dev_name, dev_name(dev->dev))
	)
)
#endif

#if defined(GPU_TRACEPOINT_radeon_fence_wait_begin) || defined(GPU_TRACEPOINT_radeon_fence_wait_end)
LTTNG_TRACEPOINT_EVENT_CLASS(radeon_fence_wait,

	TP_PROTO(struct drm_device *dev, int ring, u32 seqno),

	TP_ARGS(dev, ring, seqno),

	TP_FIELDS(
		LTTNG_GPU_RADEON_FENCE_FIELDS
	)
)
#endif

#ifdef GPU_TRACEPOINT_radeon_fence_wait_begin
/* radeon_fence_wait_seq_timeout(): this thread waits, here once for each ring on which it does. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(radeon_fence_wait,

	radeon_fence_wait_begin,

	TP_PROTO(struct drm_device *dev, int ring, u32 seqno),

	TP_ARGS(dev, ring, seqno)
)
#endif

#ifdef GPU_TRACEPOINT_radeon_fence_wait_end
/* The wait is over: one of the fences was signalled, or time is up, or the GPU hangs. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(radeon_fence_wait,

	radeon_fence_wait_end,

	TP_PROTO(struct drm_device *dev, int ring, u32 seqno),

	TP_ARGS(dev, ring, seqno)
)
#endif

#if defined(GPU_TRACEPOINT_radeon_semaphore_signale) || defined(GPU_TRACEPOINT_radeon_semaphore_wait)
LTTNG_TRACEPOINT_EVENT_CLASS(radeon_semaphore,

	TP_PROTO(int ring, struct radeon_semaphore *sem),

	TP_ARGS(ring, sem),

	TP_FIELDS(
		ctf_integer(int, ring, ring)
		ctf_integer(int, waiters, gpu_field(sem, radeon_semaphore, waiters, int))
		ctf_integer_hex(u64, gpu_addr, gpu_field(sem, radeon_semaphore, gpu_addr, u64))
	)
)
#endif

#ifdef GPU_TRACEPOINT_radeon_semaphore_signale
/* radeon_semaphore_emit_signal(): this ring will let another one go on. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(radeon_semaphore,

	radeon_semaphore_signale,

	TP_PROTO(int ring, struct radeon_semaphore *sem),

	TP_ARGS(ring, sem)
)
#endif

#ifdef GPU_TRACEPOINT_radeon_semaphore_wait
/* radeon_semaphore_emit_wait(): this ring will wait for another one. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(radeon_semaphore,

	radeon_semaphore_wait,

	TP_PROTO(int ring, struct radeon_semaphore *sem),

	TP_ARGS(ring, sem)
)
#endif

#ifdef GPU_TRACEPOINT_radeon_bo_create
/* radeon_bo_create(): ttm_resource_init() has the size from the buffer; its resource may have been evicted since. */
LTTNG_TRACEPOINT_EVENT(radeon_bo_create,

	TP_PROTO(struct radeon_bo *bo),

	TP_ARGS(bo),

	TP_FIELDS(
		ctf_integer_hex(u64, bo, gpu_identity(bo))
		ctf_integer(u32, pages, PFN_UP(gpu_field(bo, radeon_bo, tbo_base_size, size_t)))
	)
)
#endif

#ifdef GPU_TRACEPOINT_radeon_vm_grab_id
/* radeon_vm_grab_id(): the VMID whose page tables the next commands of the ring use. */
LTTNG_TRACEPOINT_EVENT(radeon_vm_grab_id,

	TP_PROTO(unsigned int vmid, int ring),

	TP_ARGS(vmid, ring),

	TP_FIELDS(
		ctf_integer(u32, vmid, vmid)
		ctf_integer(u32, ring, ring)
	)
)
#endif

#ifdef GPU_TRACEPOINT_radeon_vm_bo_update
/* radeon_vm_bo_update(): the address space's mutex is held. Addresses are in bytes; eoffset is the first one behind. */
LTTNG_TRACEPOINT_EVENT(radeon_vm_bo_update,

	TP_PROTO(struct radeon_bo_va *bo_va),

	TP_ARGS(bo_va),

	TP_FIELDS(
		ctf_integer_hex(u64, soffset, gpu_field(bo_va, radeon_bo_va, it_start, unsigned long))
		ctf_integer_hex(u64, eoffset, gpu_field(bo_va, radeon_bo_va, it_last, unsigned long) + 1ULL)
		ctf_integer_hex(u32, flags, gpu_field(bo_va, radeon_bo_va, flags, u32))
	)
)
#endif

#ifdef GPU_TRACEPOINT_radeon_vm_set_page
/* radeon_vm_set_pages(): count page table entries at pe, the first for addr, the next for addr + incr, ... */
LTTNG_TRACEPOINT_EVENT(radeon_vm_set_page,

	TP_PROTO(u64 pe, u64 addr, unsigned int count, u32 incr, u32 flags),

	TP_ARGS(pe, addr, count, incr, flags),

	TP_FIELDS(
		ctf_integer_hex(u64, pe, pe)
		ctf_integer_hex(u64, addr, addr)
		ctf_integer(u32, count, count)
		ctf_integer(u32, incr, incr)
		ctf_integer_hex(u32, flags, flags)
	)
)
#endif

#ifdef GPU_TRACEPOINT_radeon_vm_flush
/* radeon_vm_flush(): the ring will load the page directory for VMID id. */
LTTNG_TRACEPOINT_EVENT(radeon_vm_flush,

	TP_PROTO(u64 pd_addr, unsigned int ring, unsigned int id),

	TP_ARGS(pd_addr, ring, id),

	TP_FIELDS(
		ctf_integer_hex(u64, pd_addr, pd_addr)
		ctf_integer(u32, ring, ring)
		ctf_integer(u32, id, id)
	)
)
#endif

#endif /* LTTNG_GPU_TRACE_RADEON_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
