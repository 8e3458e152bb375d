/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the xe events read. The rules are those of the kernel's own events (drivers/gpu/drm/xe/xe_trace*.h):
 *
 * - A GT and a tile live as long as their xe_device, which every client and every queue keeps alive; drm_dev_init()
 *   takes a reference to the struct device, and its name does not change.
 * - A job holds a reference to its queue (xe_sched_job_create()). A queue outlives its messages: the last of them is
 *   the one that frees it (guc_exec_queue_destroy()). queue->guc is set before the create event
 *   (guc_exec_queue_init()) and freed after the destroy event.
 */
#ifndef LTTNG_GPU_XE_H
#define LTTNG_GPU_XE_H

#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/dma-fence.h>

#include "gpu_layout.h"
#include "gpu_xe_events.h"

struct drm_gpuvm;
struct drm_sched_fence;
struct engine_activity;
struct ttm_device;
struct xe_bo;
struct xe_device;
struct xe_exec_queue;
struct xe_exec_queue_group;
struct xe_gt;
struct xe_gt_tlb_invalidation_fence;
struct xe_guc_exec_queue;
struct xe_hw_fence;
struct xe_lrc;
struct xe_sched_job;
struct xe_sched_msg;
struct xe_tile;
struct xe_tlb_inval_fence;
struct xe_vm;
struct xe_vma;

static inline const char *gpu_xe_dev(struct xe_device *xe)
{
	return dev_name(gpu_field(xe, xe_device, drm_dev, struct device *));
}

static inline const char *gpu_xe_tile_dev(struct xe_tile *tile)
{
	return gpu_xe_dev(gpu_field(tile, xe_tile, xe, struct xe_device *));
}

static inline const char *gpu_xe_gt_dev(struct xe_gt *gt)
{
	return gpu_xe_tile_dev(gpu_field(gt, xe_gt, tile, struct xe_tile *));
}

#define GPU_XE_QUEUES_READ                                                                             \
	(GPU_EVENTS_PRESENT(GPU_XE_QUEUE_EVENTS) + GPU_EVENTS_PRESENT(GPU_XE_JOB_EVENTS) +             \
	 GPU_EVENTS_PRESENT(GPU_XE_MSG_EVENTS) +                                                       \
	 __is_defined(GPU_TRACEPOINT_xe_exec_queue_create_multi_queue) +                               \
	 __is_defined(GPU_TRACEPOINT_xe_exec_queue_reach_max_job_count))

#if GPU_XE_QUEUES_READ
struct gpu_xe_queue_facts {
	const char *dev;
	u32 class;
	u32 logical_mask;
	u32 guc_state;
	u32 flags;
	u16 width;
	u16 guc_id;
	u8 gt_id;
};

/*
 * With xe's module parameter force_execlist, queue->guc is a struct xe_execlist_exec_queue, which ends before the id
 * and state of a GuC's queue (the kernel's own event reads past it). xe_guc_submit_init() does not run then.
 */
static inline struct xe_guc_exec_queue *gpu_xe_guc_queue(struct xe_exec_queue *queue)
{
	struct xe_gt *gt = gpu_field(queue, xe_exec_queue, gt, struct xe_gt *);

	if (!gpu_field(gt, xe_gt, guc_submission, bool))
		return NULL;
	return gpu_field(queue, xe_exec_queue, guc, struct xe_guc_exec_queue *);
}

static inline u16 gpu_xe_guc_id(struct xe_exec_queue *queue)
{
	struct xe_guc_exec_queue *guc = gpu_xe_guc_queue(queue);

	return guc ? gpu_field(guc, xe_guc_exec_queue, id, u16) : 0;
}

static inline struct gpu_xe_queue_facts gpu_xe_queue_facts(struct xe_exec_queue *queue)
{
	struct xe_gt *gt = gpu_field(queue, xe_exec_queue, gt, struct xe_gt *);
	struct xe_guc_exec_queue *guc = gpu_xe_guc_queue(queue);

	return (struct gpu_xe_queue_facts){
		.dev = gpu_xe_gt_dev(gt),
		.class = gpu_field(queue, xe_exec_queue, class, u32),
		.logical_mask = gpu_field(queue, xe_exec_queue, logical_mask, u32),
		.guc_state = guc ? atomic_read(gpu_field_address(guc, xe_guc_exec_queue, state, const atomic_t)) : 0,
		.flags = gpu_field(queue, xe_exec_queue, flags, unsigned long),
		.width = gpu_field(queue, xe_exec_queue, width, u16),
		.guc_id = gpu_xe_guc_id(queue),
		.gt_id = gpu_field(gt, xe_gt, info_id, u8),
	};
}
#endif

#ifdef GPU_TRACEPOINT_xe_exec_queue_create_multi_queue
/* Only for a queue that is in a group, which holds a reference to its first queue. */
static inline u32 gpu_xe_primary_guc_id(struct xe_exec_queue *queue)
{
	struct xe_exec_queue_group *group =
		gpu_field(queue, xe_exec_queue, multi_queue_group, struct xe_exec_queue_group *);

	return gpu_xe_guc_id(gpu_field(group, xe_exec_queue_group, primary, struct xe_exec_queue *));
}
#endif

#if GPU_EVENTS_PRESENT(GPU_XE_JOB_EVENTS)
struct gpu_xe_job_facts {
	struct gpu_xe_queue_facts queue;
	const struct dma_fence *fence;
	u64 ctx;
	u64 seqno;
	u64 fence_context;
	u64 fence_seqno;
	u64 batch_addr;
	u32 lrc_seqno;
	int error;
};

/*
 * job->fence, which the GPU signals, is there from xe_sched_job_arm() on. The fences of drm_sched have no context
 * before drm_sched_job_arm() (drm_sched_fence_alloc() zeroes them), and go with drm_sched_job_cleanup(), which
 * xe_sched_job_destroy() calls after the last event. Whatever is not there is 0.
 */
static inline struct gpu_xe_job_facts gpu_xe_job_facts(struct xe_sched_job *job)
{
	const struct dma_fence *fence = gpu_field(job, xe_sched_job, fence, struct dma_fence *);
	struct drm_sched_fence *sched = gpu_field(job, xe_sched_job, s_fence, struct drm_sched_fence *);
	const struct dma_fence *finished =
		sched ? gpu_field_address(sched, drm_sched_fence, finished, const struct dma_fence) : NULL;
	const void *first_engine = gpu_field_address(job, xe_sched_job, ptrs, const void);

	return (struct gpu_xe_job_facts){
		.queue = gpu_xe_queue_facts(gpu_field(job, xe_sched_job, q, struct xe_exec_queue *)),
		.fence = fence,
		.ctx = fence ? fence->context : 0,
		.seqno = fence ? fence->seqno : 0,
		.fence_context = finished ? finished->context : 0,
		.fence_seqno = finished ? finished->seqno : 0,
		.batch_addr = gpu_field(first_engine, xe_job_ptrs, batch_addr, u64),
		.lrc_seqno = gpu_field(job, xe_sched_job, lrc_seqno, u32),
		.error = fence ? READ_ONCE(fence->error) : 0,
	};
}
#endif

#if GPU_EVENTS_PRESENT(GPU_XE_MSG_EVENTS)
static inline struct gpu_xe_queue_facts gpu_xe_msg_queue_facts(struct xe_sched_msg *msg)
{
	return gpu_xe_queue_facts(gpu_field(msg, xe_sched_msg, private_data, void *));
}
#endif

#if GPU_EVENTS_PRESENT(GPU_XE_HW_FENCE_EVENTS)
/*
 * xe_hw_fence_init() sets fence->xe and the dma_fence before its event; the other events are of fences that wait for
 * an interrupt of that device, and hold a reference to them.
 */
static inline const struct dma_fence *gpu_xe_hw_dma_fence(struct xe_hw_fence *fence)
{
	return gpu_field_address(fence, xe_hw_fence, dma, const struct dma_fence);
}
#endif

#if GPU_EVENTS_PRESENT(GPU_XE_BO_EVENTS) || defined(GPU_TRACEPOINT_xe_bo_move)
static inline const char *gpu_xe_bo_dev(struct xe_bo *bo)
{
	const char *bdev = (const char *)gpu_field(bo, xe_bo, bdev, struct ttm_device *);

	return gpu_xe_dev((struct xe_device *)(bdev - GPU_OFFSET_xe_device_ttm));
}
#endif

#if GPU_EVENTS_PRESENT(GPU_XE_VM_EVENTS) || GPU_EVENTS_PRESENT(GPU_XE_VMA_EVENTS)
static inline const char *gpu_xe_vm_dev(struct xe_vm *vm)
{
	return gpu_xe_dev(gpu_field(vm, xe_vm, xe, struct xe_device *));
}
#endif

#if GPU_EVENTS_PRESENT(GPU_XE_VMA_EVENTS)
/* A mapping of a BO holds its VM through its drm_gpuvm_bo, any other one itself (xe_vma_create()). */
static inline struct xe_vm *gpu_xe_vma_vm(struct xe_vma *vma)
{
	const char *gpuvm = (const char *)gpu_field(vma, xe_vma, gpuvm, struct drm_gpuvm *);

	return (struct xe_vm *)(gpuvm - GPU_OFFSET_xe_vm_gpuvm);
}

static inline u64 gpu_xe_vma_last(struct xe_vma *vma)
{
	return gpu_field(vma, xe_vma, address, u64) + gpu_field(vma, xe_vma, range, u64) - 1;
}
#endif

#ifdef GPU_TRACEPOINT_xe_guc_engine_activity
#include <linux/unaligned.h>

/* struct engine_activity is packed, and its members are not aligned. */
#define gpu_xe_activity(activity, field, type)                                                         \
	get_unaligned(gpu_field_address(activity, engine_activity, field, type))
#endif

#endif
