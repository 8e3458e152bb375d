/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * xe events: drivers/gpu/drm/xe/xe_trace.h, xe_trace_bo.h, xe_trace_guc.h and xe_trace_lrc.h, under the kernel's names
 * of events and fields. Which function emits each event, and what may be read, is said in
 * modules/probes/lttng-probe-gpu-xe.c.
 *
 * Every kernel gives the same fields, those that only newer kernels' events have (gt_id of jobs and messages, vm of
 * mappings, flags of VMs) included. Beyond the kernel's:
 *  - seqno of jobs and hardware fences in full (the kernel cuts it to 32 bits), with ctx, its fence context;
 *  - fence_context, fence_seqno: of a job, its finished fence, as in drm_sched_*; of a TLB invalidation, its dma_fence.
 * xe_bo_move names no memory but numbers it, see there.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM xe

#if !defined(LTTNG_GPU_TRACE_XE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_XE_H

#include <lttng/tracepoint-event.h>

/* Jobs. */
#if GPU_EVENTS_PRESENT(GPU_XE_JOB_EVENTS)
LTTNG_TRACEPOINT_EVENT_CLASS_CODE(xe_sched_job,

	TP_PROTO(struct xe_sched_job *job),

	TP_ARGS(job),

	TP_locvar(struct gpu_xe_job_facts job;),

	TP_code_pre(tp_locvar->job = gpu_xe_job_facts(job);),

	TP_FIELDS(
		ctf_string(dev, tp_locvar->job.queue.dev)
		ctf_integer(u64, ctx, tp_locvar->job.ctx)
		ctf_integer(u64, seqno, tp_locvar->job.seqno)
		ctf_integer(u32, lrc_seqno, tp_locvar->job.lrc_seqno)
		ctf_integer(u8, gt_id, tp_locvar->job.queue.gt_id)
		ctf_integer(u16, guc_id, tp_locvar->job.queue.guc_id)
		ctf_integer_hex(u32, guc_state, tp_locvar->job.queue.guc_state)
		ctf_integer_hex(u32, flags, tp_locvar->job.queue.flags)
		ctf_integer(int, error, tp_locvar->job.error)
		ctf_integer_hex(u64, fence, gpu_identity(tp_locvar->job.fence))
		ctf_integer_hex(u64, batch_addr, tp_locvar->job.batch_addr)
		ctf_integer(u64, fence_context, tp_locvar->job.fence_context)
		ctf_integer(u64, fence_seqno, tp_locvar->job.fence_seqno)
	),

	TP_code_post()
)

#define LTTNG_GPU_XE_JOB_EVENT(name)                                                                   \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_sched_job, name,                       \
							     TP_PROTO(struct xe_sched_job *job), TP_ARGS(job)))
GPU_XE_JOB_EVENTS(LTTNG_GPU_XE_JOB_EVENT)
#endif

/* Fences that the GPU signals. */
#if GPU_EVENTS_PRESENT(GPU_XE_HW_FENCE_EVENTS)
LTTNG_TRACEPOINT_EVENT_CLASS(xe_hw_fence,

	TP_PROTO(struct xe_hw_fence *fence),

	TP_ARGS(fence),

	TP_FIELDS(
		ctf_string(dev, gpu_xe_dev(gpu_field(fence, xe_hw_fence, xe, struct xe_device *)))
		ctf_integer(u64, ctx, gpu_xe_hw_dma_fence(fence)->context)
		ctf_integer(u64, seqno, gpu_xe_hw_dma_fence(fence)->seqno)
		ctf_integer_hex(u64, fence, gpu_identity(fence))
	)
)

#define LTTNG_GPU_XE_HW_FENCE_EVENT(name)                                                              \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_hw_fence, name,                        \
							     TP_PROTO(struct xe_hw_fence *fence), TP_ARGS(fence)))
GPU_XE_HW_FENCE_EVENTS(LTTNG_GPU_XE_HW_FENCE_EVENT)
#endif

/* Queues. */
#define LTTNG_GPU_XE_QUEUE_LOCVAR TP_locvar(struct gpu_xe_queue_facts queue;)
#define LTTNG_GPU_XE_QUEUE_CODE_PRE TP_code_pre(tp_locvar->queue = gpu_xe_queue_facts(q);)

#define LTTNG_GPU_XE_QUEUE_FIELDS(_guc_id_type)                                                        \
	ctf_string(dev, tp_locvar->queue.dev)                                                          \
	ctf_integer(u32, class, tp_locvar->queue.class)                                                \
	ctf_integer_hex(u32, logical_mask, tp_locvar->queue.logical_mask)                              \
	ctf_integer(u8, gt_id, tp_locvar->queue.gt_id)                                                 \
	ctf_integer(u16, width, tp_locvar->queue.width)                                                \
	ctf_integer(_guc_id_type, guc_id, tp_locvar->queue.guc_id)                                     \
	ctf_integer_hex(u32, guc_state, tp_locvar->queue.guc_state)                                    \
	ctf_integer_hex(u32, flags, tp_locvar->queue.flags)

#if GPU_EVENTS_PRESENT(GPU_XE_QUEUE_EVENTS)
LTTNG_TRACEPOINT_EVENT_CLASS_CODE(xe_exec_queue,

	TP_PROTO(struct xe_exec_queue *q),

	TP_ARGS(q),

	LTTNG_GPU_XE_QUEUE_LOCVAR,

	LTTNG_GPU_XE_QUEUE_CODE_PRE,

	TP_FIELDS(
		LTTNG_GPU_XE_QUEUE_FIELDS(u16)
	),

	TP_code_post()
)

#define LTTNG_GPU_XE_QUEUE_EVENT(name)                                                                 \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_exec_queue, name,                      \
							     TP_PROTO(struct xe_exec_queue *q), TP_ARGS(q)))
GPU_XE_QUEUE_EVENTS(LTTNG_GPU_XE_QUEUE_EVENT)
#endif

#ifdef GPU_TRACEPOINT_xe_exec_queue_create_multi_queue
/* guc_exec_queue_init(), instead of xe_exec_queue_create, for a queue that belongs to a group. */
LTTNG_TRACEPOINT_EVENT_CODE(xe_exec_queue_create_multi_queue,

	TP_PROTO(struct xe_exec_queue *q),

	TP_ARGS(q),

	LTTNG_GPU_XE_QUEUE_LOCVAR,

	LTTNG_GPU_XE_QUEUE_CODE_PRE,

	TP_FIELDS(
		LTTNG_GPU_XE_QUEUE_FIELDS(u32)
		ctf_integer(u32, primary, gpu_xe_primary_guc_id(q))
	),

	TP_code_post()
)
#endif

#ifdef GPU_TRACEPOINT_xe_exec_queue_reach_max_job_count
/* xe_exec_ioctl(): the queue has too many jobs, the submission is refused with -EAGAIN. */
LTTNG_TRACEPOINT_EVENT_CODE(xe_exec_queue_reach_max_job_count,

	TP_PROTO(struct xe_exec_queue *q, int max_cnt),

	TP_ARGS(q, max_cnt),

	LTTNG_GPU_XE_QUEUE_LOCVAR,

	LTTNG_GPU_XE_QUEUE_CODE_PRE,

	TP_FIELDS(
		ctf_string(dev, tp_locvar->queue.dev)
		ctf_integer(u32, class, tp_locvar->queue.class)
		ctf_integer_hex(u32, logical_mask, tp_locvar->queue.logical_mask)
		ctf_integer(u8, gt_id, tp_locvar->queue.gt_id)
		ctf_integer(u16, guc_id, tp_locvar->queue.guc_id)
		ctf_integer(int, max_cnt, max_cnt)
	),

	TP_code_post()
)
#endif

#if GPU_EVENTS_PRESENT(GPU_XE_MSG_EVENTS)
LTTNG_TRACEPOINT_EVENT_CLASS_CODE(xe_sched_msg,

	TP_PROTO(struct xe_sched_msg *msg),

	TP_ARGS(msg),

	LTTNG_GPU_XE_QUEUE_LOCVAR,

	TP_code_pre(tp_locvar->queue = gpu_xe_msg_queue_facts(msg);),

	TP_FIELDS(
		ctf_string(dev, tp_locvar->queue.dev)
		ctf_integer(u32, opcode, gpu_field(msg, xe_sched_msg, opcode, u32))
		ctf_integer(u16, guc_id, tp_locvar->queue.guc_id)
		ctf_integer(u8, gt_id, tp_locvar->queue.gt_id)
	),

	TP_code_post()
)

#define LTTNG_GPU_XE_MSG_EVENT(name)                                                                   \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_sched_msg, name,                       \
							     TP_PROTO(struct xe_sched_msg *msg), TP_ARGS(msg)))
GPU_XE_MSG_EVENTS(LTTNG_GPU_XE_MSG_EVENT)
#endif

/* Invalidations of the GPU's TLB. */
#define LTTNG_GPU_XE_TLB_CLASS(_structure)                                                             \
	LTTNG_TRACEPOINT_EVENT_CLASS(_structure,                                                       \
		TP_PROTO(struct xe_device *xe, struct _structure *fence),                              \
		TP_ARGS(xe, fence),                                                                    \
		TP_FIELDS(                                                                             \
			ctf_string(dev, gpu_xe_dev(xe))                                                \
			ctf_integer_hex(u64, fence, gpu_identity(fence))                               \
			ctf_integer(int, seqno, gpu_field(fence, _structure, seqno, int))              \
			ctf_integer(u64, fence_context,                                                \
				    gpu_field_address(fence, _structure, base, const struct dma_fence)->context) \
			ctf_integer(u64, fence_seqno,                                                  \
				    gpu_field_address(fence, _structure, base, const struct dma_fence)->seqno) \
		)                                                                                      \
	)

#if GPU_EVENTS_PRESENT(GPU_XE_TLB_INVALIDATION_EVENTS)
LTTNG_GPU_XE_TLB_CLASS(xe_gt_tlb_invalidation_fence)

#define LTTNG_GPU_XE_TLB_INVALIDATION_EVENT(name)                                                      \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_gt_tlb_invalidation_fence, name,       \
		TP_PROTO(struct xe_device *xe, struct xe_gt_tlb_invalidation_fence *fence), TP_ARGS(xe, fence)))
GPU_XE_TLB_INVALIDATION_EVENTS(LTTNG_GPU_XE_TLB_INVALIDATION_EVENT)
#endif

#if GPU_EVENTS_PRESENT(GPU_XE_TLB_INVAL_EVENTS)
LTTNG_GPU_XE_TLB_CLASS(xe_tlb_inval_fence)

#define LTTNG_GPU_XE_TLB_INVAL_EVENT(name)                                                             \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_tlb_inval_fence, name,                 \
		TP_PROTO(struct xe_device *xe, struct xe_tlb_inval_fence *fence), TP_ARGS(xe, fence)))
GPU_XE_TLB_INVAL_EVENTS(LTTNG_GPU_XE_TLB_INVAL_EVENT)
#endif

/* Buffer objects. */
#if GPU_EVENTS_PRESENT(GPU_XE_BO_EVENTS)
LTTNG_TRACEPOINT_EVENT_CLASS(xe_bo,

	TP_PROTO(struct xe_bo *bo),

	TP_ARGS(bo),

	TP_FIELDS(
		ctf_string(dev, gpu_xe_bo_dev(bo))
		ctf_integer(size_t, size, gpu_field(bo, xe_bo, size, size_t))
		ctf_integer_hex(u32, flags, gpu_field(bo, xe_bo, flags, u32))
		ctf_integer_hex(u64, vm, gpu_identity(gpu_field(bo, xe_bo, vm, struct xe_vm *)))
	)
)

#define LTTNG_GPU_XE_BO_EVENT(name)                                                                    \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_bo, name,                              \
							     TP_PROTO(struct xe_bo *bo), TP_ARGS(bo)))
GPU_XE_BO_EVENTS(LTTNG_GPU_XE_BO_EVENT)
#endif

#ifdef GPU_TRACEPOINT_xe_bo_move
/*
 * xe_bo_move(). The kernel's event takes names from an array of xe.ko (xe_mem_type_to_name) that it does not export,
 * so the memory types are given as TTM numbers them: 0 system, 1 gtt (TTM_PL_TT), from 2 (TTM_PL_VRAM) the tiles'
 * vram, and the last one (TTM_NUM_MEM_TYPES - 1) stolen memory.
 */
LTTNG_TRACEPOINT_EVENT(xe_bo_move,

	TP_PROTO(struct xe_bo *bo, u32 new_placement, u32 old_placement, bool move_lacks_source),

	TP_ARGS(bo, new_placement, old_placement, move_lacks_source),

	TP_FIELDS(
		ctf_integer_hex(u64, bo, gpu_identity(bo))
		ctf_integer(size_t, size, gpu_field(bo, xe_bo, size, size_t))
		ctf_integer(u32, new_placement, new_placement)
		ctf_integer(u32, old_placement, old_placement)
		ctf_string(device_id, gpu_xe_bo_dev(bo))
		ctf_integer(u8, move_lacks_source, move_lacks_source)
	)
)
#endif

/* Address spaces. */
#if GPU_EVENTS_PRESENT(GPU_XE_VM_EVENTS)
LTTNG_TRACEPOINT_EVENT_CLASS(xe_vm,

	TP_PROTO(struct xe_vm *vm),

	TP_ARGS(vm),

	TP_FIELDS(
		ctf_string(dev, gpu_xe_vm_dev(vm))
		ctf_integer_hex(u64, vm, gpu_identity(vm))
		ctf_integer_hex(u32, asid, gpu_field(vm, xe_vm, usm_asid, u32))
		ctf_integer_hex(u32, flags, gpu_field(vm, xe_vm, flags, unsigned long))
	)
)

#define LTTNG_GPU_XE_VM_EVENT(name)                                                                    \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_vm, name,                              \
							     TP_PROTO(struct xe_vm *vm), TP_ARGS(vm)))
GPU_XE_VM_EVENTS(LTTNG_GPU_XE_VM_EVENT)
#endif

/* Mappings; end is the last address, as in the kernel's event. */
#if GPU_EVENTS_PRESENT(GPU_XE_VMA_EVENTS)
LTTNG_TRACEPOINT_EVENT_CLASS(xe_vma,

	TP_PROTO(struct xe_vma *vma),

	TP_ARGS(vma),

	TP_FIELDS(
		ctf_string(dev, gpu_xe_vm_dev(gpu_xe_vma_vm(vma)))
		ctf_integer_hex(u64, vma, gpu_identity(vma))
		ctf_integer_hex(u64, vm, gpu_identity(gpu_xe_vma_vm(vma)))
		ctf_integer_hex(u32, asid, gpu_field(gpu_xe_vma_vm(vma), xe_vm, usm_asid, u32))
		ctf_integer_hex(u64, start, gpu_field(vma, xe_vma, address, u64))
		ctf_integer_hex(u64, end, gpu_xe_vma_last(vma))
		ctf_integer_hex(u64, ptr, gpu_field(vma, xe_vma, userptr, u64))
	)
)

#define LTTNG_GPU_XE_VMA_EVENT(name)                                                                   \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_vma, name,                             \
							     TP_PROTO(struct xe_vma *vma), TP_ARGS(vma)))
GPU_XE_VMA_EVENTS(LTTNG_GPU_XE_VMA_EVENT)
#endif

/* Messages between host and GuC. */
#if GPU_EVENTS_PRESENT(GPU_XE_FLOW_CONTROL_EVENTS)
#define LTTNG_GPU_XE_FLOW_CONTROL_PROTO                                                                \
	TP_PROTO(struct xe_device *xe, u32 head, u32 tail, u32 size, u32 space, u32 len)
#define LTTNG_GPU_XE_FLOW_CONTROL_ARGS TP_ARGS(xe, head, tail, size, space, len)

LTTNG_TRACEPOINT_EVENT_CLASS(xe_guc_ct_flow_control,

	LTTNG_GPU_XE_FLOW_CONTROL_PROTO,

	LTTNG_GPU_XE_FLOW_CONTROL_ARGS,

	TP_FIELDS(
		ctf_string(dev, gpu_xe_dev(xe))
		ctf_integer(u32, _head, head)
		ctf_integer(u32, _tail, tail)
		ctf_integer(u32, size, size)
		ctf_integer(u32, space, space)
		ctf_integer(u32, len, len)
	)
)

#define LTTNG_GPU_XE_FLOW_CONTROL_EVENT(name)                                                          \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_guc_ct_flow_control, name,             \
		LTTNG_GPU_XE_FLOW_CONTROL_PROTO, LTTNG_GPU_XE_FLOW_CONTROL_ARGS))
GPU_XE_FLOW_CONTROL_EVENTS(LTTNG_GPU_XE_FLOW_CONTROL_EVENT)
#endif

#if GPU_EVENTS_PRESENT(GPU_XE_CTB_EVENTS)
#define LTTNG_GPU_XE_CTB_PROTO                                                                         \
	TP_PROTO(struct xe_device *xe, u8 gt_id, u32 action, u32 len, u32 head, u32 tail)
#define LTTNG_GPU_XE_CTB_ARGS TP_ARGS(xe, gt_id, action, len, head, tail)

LTTNG_TRACEPOINT_EVENT_CLASS(xe_guc_ctb,

	LTTNG_GPU_XE_CTB_PROTO,

	LTTNG_GPU_XE_CTB_ARGS,

	TP_FIELDS(
		ctf_string(dev, gpu_xe_dev(xe))
		ctf_integer(u8, gt_id, gt_id)
		ctf_integer_hex(u32, action, action)
		ctf_integer(u32, len, len)
		ctf_integer(u32, tail, tail)
		ctf_integer(u32, _head, head)
	)
)

#define LTTNG_GPU_XE_CTB_EVENT(name)                                                                   \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_guc_ctb, name,                         \
							     LTTNG_GPU_XE_CTB_PROTO, LTTNG_GPU_XE_CTB_ARGS))
GPU_XE_CTB_EVENTS(LTTNG_GPU_XE_CTB_EVENT)
#endif

/* How busy engines and queues were, by the GPU's own clocks. */
#ifdef GPU_TRACEPOINT_xe_guc_engine_activity
/* get_engine_active_ticks(), get_engine_total_ticks(), when a reader of the perf counters asks. */
LTTNG_TRACEPOINT_EVENT(xe_guc_engine_activity,

	TP_PROTO(struct xe_device *xe, struct engine_activity *ea, const char *name, u16 instance),

	TP_ARGS(xe, ea, name, instance),

	TP_FIELDS(
		ctf_string(dev, gpu_xe_dev(xe))
		ctf_string(name, name)
		ctf_integer(u32, global_change_num, gpu_xe_activity(ea, global_change_num, u32))
		ctf_integer(u32, guc_tsc_frequency_hz, gpu_xe_activity(ea, guc_tsc_frequency_hz, u32))
		ctf_integer(u32, lag_latency_usec, gpu_xe_activity(ea, lag_latency_usec, u32))
		ctf_integer(u16, instance, instance)
		ctf_integer(u16, change_num, gpu_xe_activity(ea, change_num, u16))
		ctf_integer_hex(u16, quanta_ratio, gpu_xe_activity(ea, quanta_ratio, u16))
		ctf_integer(u32, last_update_tick, gpu_xe_activity(ea, last_update_tick, u32))
		ctf_integer(u64, active_ticks, gpu_xe_activity(ea, active_ticks, u64))
		ctf_integer(u64, active, gpu_xe_activity(ea, active, u64))
		ctf_integer(u64, total, gpu_xe_activity(ea, total, u64))
		ctf_integer(u64, quanta, gpu_xe_activity(ea, quanta, u64))
		ctf_integer(u64, last_cpu_ts, gpu_xe_activity(ea, last_cpu_ts, u64))
	)
)
#endif

#ifdef GPU_TRACEPOINT_xe_lrc_update_timestamp
/* xe_lrc_update_context_timestamp(): the GPU time that a context has run, old and new. */
LTTNG_TRACEPOINT_EVENT(xe_lrc_update_timestamp,

	TP_PROTO(struct xe_lrc *lrc, u64 old),

	TP_ARGS(lrc, old),

	TP_FIELDS(
		ctf_integer_hex(u64, lrc, gpu_identity(lrc))
		ctf_integer(u64, old, old)
		ctf_integer(u64, new, gpu_field(lrc, xe_lrc, ctx_timestamp, u64))
		ctf_string(name, gpu_field_address(lrc, xe_lrc, name, const char))
		ctf_string(device_id, gpu_xe_gt_dev(gpu_field(lrc, xe_lrc, gt, struct xe_gt *)))
	)
)
#endif

#ifdef GPU_TRACEPOINT_xe_lrc_update_queue_timestamp
/* xe_lrc_update_multi_queue_timestamp(): the same of one queue of a group. */
LTTNG_TRACEPOINT_EVENT(xe_lrc_update_queue_timestamp,

	TP_PROTO(struct xe_lrc *lrc, u64 old),

	TP_ARGS(lrc, old),

	TP_FIELDS(
		ctf_integer_hex(u64, lrc, gpu_identity(lrc))
		ctf_integer_hex(u64, primary_lrc, gpu_identity(gpu_field(lrc, xe_lrc, primary_lrc, struct xe_lrc *)))
		ctf_integer(u64, old, old)
		ctf_integer(u64, new, gpu_field(lrc, xe_lrc, queue_timestamp, u64))
		ctf_string(name, gpu_field_address(lrc, xe_lrc, name, const char))
		ctf_string(device_id, gpu_xe_gt_dev(gpu_field(lrc, xe_lrc, gt, struct xe_gt *)))
	)
)
#endif

#ifdef GPU_TRACEPOINT_xe_eu_stall_data_read
/* xe_eu_stall_data_buf_read(): samples of stalled execution units are copied to user space. */
LTTNG_TRACEPOINT_EVENT(xe_eu_stall_data_read,

	TP_PROTO(u8 slice, u8 subslice, u32 read_ptr, u32 write_ptr, size_t read_size, size_t total_size),

	TP_ARGS(slice, subslice, read_ptr, write_ptr, read_size, total_size),

	TP_FIELDS(
		ctf_integer(u8, slice, slice)
		ctf_integer(u8, subslice, subslice)
		ctf_integer_hex(u32, read_ptr, read_ptr)
		ctf_integer_hex(u32, write_ptr, write_ptr)
		ctf_integer(size_t, read_size, read_size)
		ctf_integer(size_t, total_size, total_size)
	)
)
#endif

/* Power management. */
#if GPU_EVENTS_PRESENT(GPU_XE_PM_EVENTS)
LTTNG_TRACEPOINT_EVENT_CLASS(xe_pm_runtime,

	TP_PROTO(struct xe_device *xe, void *caller),

	TP_ARGS(xe, caller),

	TP_FIELDS(
		ctf_string(dev, gpu_xe_dev(xe))
	)
)

#define LTTNG_GPU_XE_PM_EVENT(name)                                                                    \
	GPU_IF_PRESENT(name, LTTNG_TRACEPOINT_EVENT_INSTANCE(xe_pm_runtime, name,                      \
		TP_PROTO(struct xe_device *xe, void *caller), TP_ARGS(xe, caller)))
GPU_XE_PM_EVENTS(LTTNG_GPU_XE_PM_EVENT)
#endif

#endif /* LTTNG_GPU_TRACE_XE_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
