// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of xe.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/xe.h>.
 */
#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <linux/unaligned.h>
#include <lttng/tracer.h>

#include <layout/xe.h>

#include "gpu_event_list.h"
#include "gpu_layout.h"

/*
 * The events of xe that share a class, with the kernel functions that emit them (where two are named and nothing is
 * said, the first is of 6.12 and the second of 7.2).
 */

/* Events of struct xe_exec_queue. A queue is shared by the driver and the GuC, the firmware that schedules it. */
#define GPU_XE_QUEUE_EVENTS(event) \
	event(xe_exec_queue_create)             /* guc_exec_queue_init() */ \
	event(xe_exec_queue_register)           /* register_exec_queue(): before its first job */ \
	event(xe_exec_queue_submit)             /* submit_exec_queue(): the GuC is told of new work in the ring */ \
	event(xe_exec_queue_scheduling_enable)  /* submit_exec_queue() for the first job, enable_scheduling() */ \
	event(xe_exec_queue_scheduling_disable) /* disable_scheduling(), disable_scheduling_deregister() */ \
	event(xe_exec_queue_scheduling_done)    /* handle_sched_done(): the GuC has enabled or disabled it */ \
	event(xe_exec_queue_supress_resume)     /* no caller in 6.12 and 7.2 */ \
	event(xe_exec_queue_deregister)         /* deregister_exec_queue(), __deregister_exec_queue() */ \
	event(xe_exec_queue_deregister_done)    /* handle_deregister_done() */ \
	event(xe_exec_queue_close)              /* xe_exec_queue_destroy_ioctl() */ \
	event(xe_exec_queue_kill)               /* guc_exec_queue_kill() */ \
	event(xe_exec_queue_cleanup_entity)     /* __guc_exec_queue_process_msg_cleanup() */ \
	event(xe_exec_queue_destroy)            /* __guc_exec_queue_fini_async(), guc_exec_queue_do_destroy() */ \
	event(xe_exec_queue_reset)              /* xe_guc_exec_queue_reset_handler(): the GuC has reset it */ \
	event(xe_exec_queue_memory_cat_error)   /* xe_guc_exec_queue_memory_cat_error_handler() */ \
	event(xe_exec_queue_cgp_context_error)  /* xe_guc_exec_queue_cgp_context_error_handler() */ \
	event(xe_exec_queue_stop)               /* guc_exec_queue_stop(): for a reset of the GT */ \
	event(xe_exec_queue_resubmit)           /* guc_exec_queue_start(): after a reset of the GT */ \
	event(xe_exec_queue_lr_cleanup)         /* xe_guc_exec_queue_lr_cleanup(), 6.12 */

/* Events of struct xe_sched_job, in the order of its life. */
#define GPU_XE_JOB_EVENTS(event) \
	event(xe_sched_job_create)    /* xe_sched_job_create(): before it is armed */ \
	event(xe_sched_job_exec)      /* xe_sched_job_push(): armed, about to enter its entity */ \
	event(xe_sched_job_run)       /* guc_exec_queue_run_job(): about to be written to the ring */ \
	event(xe_sched_job_free)      /* guc_exec_queue_free_job(): before its last reference is dropped */ \
	event(xe_sched_job_timedout)  /* guc_exec_queue_timedout_job() */ \
	event(xe_sched_job_set_error) /* xe_sched_job_set_error() */ \
	event(xe_sched_job_ban)       /* guc_exec_queue_stop(): its queue has hung */

/* Requests to the worker that runs the jobs of a queue: clean up, suspend, resume, set properties. */
#define GPU_XE_MSG_EVENTS(event) \
	event(xe_sched_msg_add)  /* guc_exec_queue_add_msg() */ \
	event(xe_sched_msg_recv) /* guc_exec_queue_process_msg(): before it is acted upon */

/* Fences that the GPU signals by writing their seqno. */
#define GPU_XE_HW_FENCE_EVENTS(event) \
	event(xe_hw_fence_create)     /* xe_hw_fence_init() */ \
	event(xe_hw_fence_try_signal) /* hw_fence_irq_run_cb(): pending when the interrupt came */ \
	event(xe_hw_fence_signal)     /* hw_fence_irq_run_cb(): found signalled */

/* Invalidations of the GPU's TLB, as 6.12 names them. */
#define GPU_XE_TLB_INVALIDATION_EVENTS(event) \
	event(xe_gt_tlb_invalidation_fence_create)    /* invalidation_fence_init(): before its dma_fence is */ \
	event(xe_gt_tlb_invalidation_fence_cb)        /* invalidation_fence_cb(): what it waits for has signalled */ \
	event(xe_gt_tlb_invalidation_fence_work_func) /* invalidation_fence_work_func() */ \
	event(xe_gt_tlb_invalidation_fence_send)      /* send_tlb_invalidation() */ \
	event(xe_gt_tlb_invalidation_fence_recv)      /* xe_guc_tlb_invalidation_done_handler() */ \
	event(xe_gt_tlb_invalidation_fence_signal)    /* __invalidation_fence_signal() */ \
	event(xe_gt_tlb_invalidation_fence_timeout)   /* xe_gt_tlb_fence_timeout() */

/* The same, as 7.2 names them. */
#define GPU_XE_TLB_INVAL_EVENTS(event) \
	event(xe_tlb_inval_fence_send)    /* xe_tlb_inval_fence_prep() */ \
	event(xe_tlb_inval_fence_recv)    /* xe_tlb_inval_done_handler() */ \
	event(xe_tlb_inval_fence_signal)  /* xe_tlb_inval_fence_signal() */ \
	event(xe_tlb_inval_fence_timeout) /* xe_tlb_inval_fence_timeout() */

/* Events of struct xe_bo. */
#define GPU_XE_BO_EVENTS(event) \
	event(xe_bo_create)    /* _xe_bo_create_locked(): placed and mapped */ \
	event(xe_bo_validate)  /* xe_bo_validate() */ \
	event(xe_bo_cpu_fault) /* xe_gem_fault(), __xe_bo_cpu_fault() */

/* Events of struct xe_vm. The rebind worker makes a VM in preempt-fence mode valid again while its queues stand. */
#define GPU_XE_VM_EVENTS(event) \
	event(xe_vm_create)              /* xe_vm_create() */ \
	event(xe_vm_free)                /* vm_destroy_work_func() */ \
	event(xe_vm_kill)                /* xe_vm_kill() */ \
	event(xe_vm_cpu_bind)            /* xe_migrate_update_pgtables_cpu() */ \
	event(xe_vm_restart)             /* no caller in 6.12 and 7.2 */ \
	event(xe_vm_rebind_worker_enter) /* preempt_rebind_work_func() */ \
	event(xe_vm_rebind_worker_retry) /* preempt_rebind_work_func() */ \
	event(xe_vm_rebind_worker_exit)  /* preempt_rebind_work_func() */ \
	event(xe_vm_ops_fail)            /* ops_execute() */

/* Events of struct xe_vma: one mapping in a VM. */
#define GPU_XE_VMA_EVENTS(event) \
	event(xe_vma_flush)                       /* no caller in 6.12 and 7.2 */ \
	event(xe_vma_pagefault)                   /* handle_vma_pagefault(), xe_pagefault_handle_vma() */ \
	event(xe_vma_acc)                         /* handle_acc() in 6.12: access counter */ \
	event(xe_vma_bind)                        /* op_trace(): a bind operation is about to run */ \
	event(xe_vma_pf_bind)                     /* handle_vma_pagefault(), xe_pagefault_handle_vma() */ \
	event(xe_vma_unbind)                      /* op_trace() */ \
	event(xe_vma_userptr_rebind_worker)       /* no caller in 6.12 and 7.2 */ \
	event(xe_vma_userptr_rebind_exec)         /* no caller in 6.12 and 7.2 */ \
	event(xe_vma_rebind_worker)               /* xe_vm_rebind(), from the rebind worker */ \
	event(xe_vma_rebind_exec)                 /* xe_vm_rebind(), from the exec ioctl, which waits for it */ \
	event(xe_vma_userptr_invalidate)          /* vma_userptr_invalidate(), xe_vma_userptr_invalidate_start() */ \
	event(xe_vma_userptr_invalidate_complete) /* the same functions, when the GPU no longer uses the pages */ \
	event(xe_vma_invalidate)                  /* xe_vm_invalidate_vma(), xe_vm_invalidate_vma_submit() */ \
	event(xe_vma_evict)                       /* xe_bo_trigger_rebind() */

/* A message between host and GuC has no room in its ring buffer: submission waits here. */
#define GPU_XE_FLOW_CONTROL_EVENTS(event) \
	event(xe_guc_ct_h2g_flow_control) /* guc_ct_send_locked(), guc_ct_send_wait_for_retry() */ \
	event(xe_guc_ct_g2h_flow_control) /* the same functions: no room for the answer */

/* Messages from host to GuC and back. */
#define GPU_XE_CTB_EVENTS(event) \
	event(xe_guc_ctb_h2g) /* h2g_write() */ \
	event(xe_guc_ctb_g2h) /* g2h_read() */

/* Power management of the device: a submission may wait for it to wake up. */
#define GPU_XE_PM_EVENTS(event) \
	event(xe_pm_runtime_get)       /* xe_pm_runtime_get() */ \
	event(xe_pm_runtime_put)       /* xe_pm_runtime_put() */ \
	event(xe_pm_runtime_get_ioctl) /* xe_pm_runtime_get_ioctl() */ \
	event(xe_pm_runtime_suspend)   /* xe_pm_runtime_suspend() */ \
	event(xe_pm_runtime_resume)    /* xe_pm_runtime_resume() */ \
	event(xe_pm_suspend)           /* xe_pm_suspend() */ \
	event(xe_pm_resume)            /* xe_pm_resume() */

/*
 * What the xe events read. The rules are those of the kernel's own events (drivers/gpu/drm/xe/xe_trace*.h):
 *
 * - A GT and a tile live as long as their xe_device, which every client and every queue keeps alive; drm_dev_init()
 *   takes a reference to the struct device, and its name does not change.
 * - A job holds a reference to its queue (xe_sched_job_create()). A queue outlives its messages: the last of them is
 *   the one that frees it (guc_exec_queue_destroy()). queue->guc is set before the create event
 *   (guc_exec_queue_init()) and freed after the destroy event.
 */

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

/* struct engine_activity is packed, and its members are not aligned. */
#define gpu_xe_activity(activity, field, type)                                                         \
	get_unaligned(gpu_field_address(activity, engine_activity, field, type))
#endif

#define GPU_PROBE_EVENTS <instrumentation/events/xe.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(xe);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_xe_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of xe");
