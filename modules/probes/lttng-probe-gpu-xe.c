// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of xe.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/xe.h>.
 */
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/xe.h>
#include "gpu_xe.h"

#include "gpu_probe_guard.h"

#if GPU_EVENTS_PRESENT(GPU_XE_JOB_EVENTS)
GPU_PROBE(xe_sched_job, (struct xe_sched_job *job), (job))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_HW_FENCE_EVENTS)
GPU_PROBE(xe_hw_fence, (struct xe_hw_fence *fence), (fence))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_QUEUE_EVENTS)
GPU_PROBE(xe_exec_queue, (struct xe_exec_queue *q), (q))
#endif
#ifdef GPU_TRACEPOINT_xe_exec_queue_create_multi_queue
GPU_PROBE(xe_exec_queue_create_multi_queue, (struct xe_exec_queue *q), (q))
#endif
#ifdef GPU_TRACEPOINT_xe_exec_queue_reach_max_job_count
GPU_PROBE(xe_exec_queue_reach_max_job_count, (struct xe_exec_queue *q, int max_cnt), (q, max_cnt))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_MSG_EVENTS)
GPU_PROBE(xe_sched_msg, (struct xe_sched_msg *msg), (msg))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_TLB_INVALIDATION_EVENTS)
GPU_PROBE(xe_gt_tlb_invalidation_fence, (struct xe_device *xe, struct xe_gt_tlb_invalidation_fence *fence),
	  (xe, fence))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_TLB_INVAL_EVENTS)
GPU_PROBE(xe_tlb_inval_fence, (struct xe_device *xe, struct xe_tlb_inval_fence *fence), (xe, fence))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_BO_EVENTS)
GPU_PROBE(xe_bo, (struct xe_bo *bo), (bo))
#endif
#ifdef GPU_TRACEPOINT_xe_bo_move
GPU_PROBE(xe_bo_move, (struct xe_bo *bo, u32 new_placement, u32 old_placement, bool move_lacks_source),
	  (bo, new_placement, old_placement, move_lacks_source))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_VM_EVENTS)
GPU_PROBE(xe_vm, (struct xe_vm *vm), (vm))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_VMA_EVENTS)
GPU_PROBE(xe_vma, (struct xe_vma *vma), (vma))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_FLOW_CONTROL_EVENTS)
GPU_PROBE(xe_guc_ct_flow_control, (struct xe_device *xe, u32 head, u32 tail, u32 size, u32 space, u32 len),
	  (xe, head, tail, size, space, len))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_CTB_EVENTS)
GPU_PROBE(xe_guc_ctb, (struct xe_device *xe, u8 gt_id, u32 action, u32 len, u32 head, u32 tail),
	  (xe, gt_id, action, len, head, tail))
#endif
#ifdef GPU_TRACEPOINT_xe_guc_engine_activity
GPU_PROBE(xe_guc_engine_activity,
	  (struct xe_device *xe, struct engine_activity *ea, const char *name, u16 instance),
	  (xe, ea, name, instance))
#endif
#ifdef GPU_TRACEPOINT_xe_eu_stall_data_read
GPU_PROBE(xe_eu_stall_data_read,
	  (u8 slice, u8 subslice, u32 read_ptr, u32 write_ptr, size_t read_size, size_t total_size),
	  (slice, subslice, read_ptr, write_ptr, read_size, total_size))
#endif
#ifdef GPU_TRACEPOINT_xe_lrc_update_timestamp
GPU_PROBE(xe_lrc_update_timestamp, (struct xe_lrc *lrc, u64 old), (lrc, old))
#endif
#ifdef GPU_TRACEPOINT_xe_lrc_update_queue_timestamp
GPU_PROBE(xe_lrc_update_queue_timestamp, (struct xe_lrc *lrc, u64 old), (lrc, old))
#endif
#if GPU_EVENTS_PRESENT(GPU_XE_PM_EVENTS)
GPU_PROBE(xe_pm_runtime, (struct xe_device *xe, void *caller), (xe, caller))
#endif

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events

#include <instrumentation/events/xe.h>

GPU_PROBE_MODULE(xe);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_xe_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of xe");
