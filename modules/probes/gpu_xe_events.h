/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of xe that share a class, with the kernel functions that emit them (where two are named and nothing is
 * said, the first is of 6.12 and the second of 7.2).
 */
#ifndef LTTNG_GPU_XE_EVENTS_H
#define LTTNG_GPU_XE_EVENTS_H

#include "gpu_event_list.h"

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

#endif
