/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * amdgpu events: drivers/gpu/drm/amd/amdgpu/amdgpu_trace.h, with its fields. Contexts and seqnos of fences are in full
 * where the kernel's own event cuts them, and amdgpu_sched_run_job adds dev, as the gpu_scheduler events have it.
 * Fields that the kernel has but never assigns are left out: fence of amdgpu_cs_ioctl, the u32 ring of
 * amdgpu_vm_grab_id.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM amdgpu

#if !defined(LTTNG_GPU_TRACE_AMDGPU_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_AMDGPU_H

#include <lttng/tracepoint-event.h>
#include <instrumentation/gpu_payload.h>

/* Fields that only some kernels have. */
#ifdef GPU_OFFSET_amdgpu_job_id
#define LTTNG_GPU_AMDGPU_JOB_ID(_item, _job) ctf_integer(u64, _item, gpu_field(_job, amdgpu_job, id, u64))
#define LTTNG_GPU_AMDGPU_SCHED_JOB_ID(integer) integer(u64, sched_job_id, gpu_field(job, amdgpu_job, id, u64))
#else
#define LTTNG_GPU_AMDGPU_JOB_ID(_item, _job)
#define LTTNG_GPU_AMDGPU_SCHED_JOB_ID(integer)
#endif

#ifdef AMDGPU_VM_HUB_UNKNOWN
#define LTTNG_GPU_AMDGPU_VM_HUB(_ring)
#else
#define LTTNG_GPU_AMDGPU_VM_HUB(_ring) ctf_integer(u32, vm_hub, amdgpu_ring_vm_hub(_ring))
#endif

#ifdef AMDGPU_MAPPING_FLAGS_UNKNOWN
#define LTTNG_GPU_AMDGPU_MAPPING_FLAGS(_mapping)
#else
#define LTTNG_GPU_AMDGPU_MAPPING_FLAGS(_mapping) ctf_integer_hex(u64, flags, amdgpu_mapping_flags(_mapping))
#endif

#ifdef GPU_TRACEPOINT_amdgpu_cs
/* amdgpu_cs_ioctl(): once per indirect buffer, before the job is armed. ring is the one it is headed for. */
LTTNG_TRACEPOINT_EVENT_CODE(amdgpu_cs,

	TP_PROTO(struct amdgpu_cs_parser *parser, struct amdgpu_job *job, struct amdgpu_ib *ib),

	TP_ARGS(parser, job, ib),

	TP_locvar(const struct amdgpu_ring *ring;),

	TP_code_pre(tp_locvar->ring = amdgpu_ring_before_arm(job);),

	TP_FIELDS(
		ctf_integer_hex(u64, bo_list, gpu_identity(gpu_field(parser, amdgpu_cs_parser, bo_list, const void *)))
		ctf_integer(u32, ring, amdgpu_ring_index(tp_locvar->ring))
		ctf_integer(u32, dw, gpu_field(ib, amdgpu_ib, length_dw, u32))
		ctf_integer(u32, fences, amdgpu_ring_fences(tp_locvar->ring))
	),

	TP_code_post()
)
#endif

/* An event of a job, whose fields are the list. */
#define LTTNG_GPU_AMDGPU_JOB_EVENT(name, fields)                                                       \
	GPU_PAYLOAD_EVENT(name,                                                                        \
		TP_PROTO(struct amdgpu_job *job),                                                      \
		TP_ARGS(job),                                                                          \
		struct amdgpu_job_facts facts;,                                                        \
		tp_locvar->facts = amdgpu_job_facts(job);,                                             \
		fields)

#define LTTNG_GPU_AMDGPU_JOB_FIELDS(integer, hexadecimal, string)                                      \
	LTTNG_GPU_AMDGPU_SCHED_JOB_ID(integer)                                                         \
	string(timeline, tp_locvar->facts.timeline)                                                    \
	integer(u64, context, tp_locvar->facts.finished->context)                                      \
	integer(u64, seqno, tp_locvar->facts.finished->seqno)                                          \
	string(ring, tp_locvar->facts.ring)                                                            \
	integer(u32, num_ibs, tp_locvar->facts.num_ibs)

#define LTTNG_GPU_AMDGPU_RUN_FIELDS(integer, hexadecimal, string)                                      \
	LTTNG_GPU_AMDGPU_JOB_FIELDS(integer, hexadecimal, string)                                      \
	string(dev, amdgpu_job_device_name(job))

#ifdef GPU_TRACEPOINT_amdgpu_cs_ioctl
/* amdgpu_cs_submit(): once per job of the gang, armed, just before drm_sched_entity_push_job(). */
#ifdef GPU_PAYLOAD_IS_WRITTEN
#define __event_get_size__amdgpu_cs_ioctl GPU_PAYLOAD_SIZE
#endif
LTTNG_GPU_AMDGPU_JOB_EVENT(amdgpu_cs_ioctl, LTTNG_GPU_AMDGPU_JOB_FIELDS)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_sched_run_job
/*
 * amdgpu_job_run(): in the worker of the scheduler, the commands are not yet in the ring. It says the device, for both:
 * context and seqno name one job of all devices.
 */
#ifdef GPU_PAYLOAD_IS_WRITTEN
#define __event_get_size__amdgpu_sched_run_job GPU_PAYLOAD_SIZE
#endif
LTTNG_GPU_AMDGPU_JOB_EVENT(amdgpu_sched_run_job, LTTNG_GPU_AMDGPU_RUN_FIELDS)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_ib_pipe_sync
/* amdgpu_ib_schedule(): the ring is to wait for this fence, to which the caller holds a reference. */
LTTNG_TRACEPOINT_EVENT(amdgpu_ib_pipe_sync,

	TP_PROTO(struct amdgpu_job *job, struct dma_fence *fence),

	TP_ARGS(job, fence),

	TP_FIELDS(
		ctf_string(ring, amdgpu_scheduler_name(amdgpu_job_scheduler(job)))
		LTTNG_GPU_AMDGPU_JOB_ID(id, job)
		ctf_integer_hex(u64, fence, gpu_identity(fence))
		ctf_integer(u64, ctx, fence->context)
		ctf_integer(u64, seqno, fence->seqno)
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_cleaner_shader
/* amdgpu_vm_flush(): fence is that of the cleaner shader, to which the caller holds a reference. */
LTTNG_TRACEPOINT_EVENT(amdgpu_cleaner_shader,

	TP_PROTO(struct amdgpu_ring *ring, struct dma_fence *fence),

	TP_ARGS(ring, fence),

	TP_FIELDS(
		ctf_string(ring, amdgpu_ring_name(ring))
		ctf_integer(u64, seqno, fence->seqno)
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_isolation
/* amdgpu_device_enforce_isolation(): the owner changes. Both are names only, never followed. */
LTTNG_TRACEPOINT_EVENT(amdgpu_isolation,

	TP_PROTO(void *prev, void *next),

	TP_ARGS(prev, next),

	TP_FIELDS(
		ctf_integer_hex(u64, prev, gpu_identity(prev))
		ctf_integer_hex(u64, next, gpu_identity(next))
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_iv
/* amdgpu_irq_dispatch(): every entry of an interrupt ring. timestamp is of the GPU's clock. */
LTTNG_TRACEPOINT_EVENT(amdgpu_iv,

	TP_PROTO(unsigned int ih, struct amdgpu_iv_entry *iv),

	TP_ARGS(ih, iv),

	TP_FIELDS(
		ctf_integer(unsigned int, ih, ih)
		ctf_integer(unsigned int, client_id, gpu_field(iv, amdgpu_iv_entry, client_id, unsigned int))
		ctf_integer(unsigned int, src_id, gpu_field(iv, amdgpu_iv_entry, src_id, unsigned int))
		ctf_integer(unsigned int, ring_id, gpu_field(iv, amdgpu_iv_entry, ring_id, unsigned int))
		ctf_integer(unsigned int, vmid, gpu_field(iv, amdgpu_iv_entry, vmid, unsigned int))
		ctf_integer(unsigned int, vmid_src, gpu_field(iv, amdgpu_iv_entry, vmid_src, unsigned int))
		ctf_integer(u64, timestamp, gpu_field(iv, amdgpu_iv_entry, timestamp, u64))
		ctf_integer(unsigned int, timestamp_src, gpu_field(iv, amdgpu_iv_entry, timestamp_src, unsigned int))
		ctf_integer(unsigned int, pasid, gpu_field(iv, amdgpu_iv_entry, pasid, unsigned int))
		ctf_array_hex(unsigned int, src_data,
			      gpu_field_address(iv, amdgpu_iv_entry, src_data, const unsigned int), 4)
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_bo_create
/* amdgpu_bo_create(). type is AMDGPU_NO_PLACEMENT when the buffer has already lost its memory. */
LTTNG_TRACEPOINT_EVENT(amdgpu_bo_create,

	TP_PROTO(struct amdgpu_bo *bo),

	TP_ARGS(bo),

	TP_FIELDS(
		ctf_integer_hex(u64, bo, gpu_identity(bo))
		ctf_integer(u32, pages, PFN_UP(amdgpu_bo_bytes(bo)))
		ctf_integer(u32, type, amdgpu_bo_placement(bo))
		ctf_integer_hex(u32, prefer, gpu_field(bo, amdgpu_bo, preferred_domains, u32))
		ctf_integer_hex(u32, allow, gpu_field(bo, amdgpu_bo, allowed_domains, u32))
		ctf_integer_hex(u32, visible, gpu_field(bo, amdgpu_bo, flags, u64))
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_bo_move
/* amdgpu_bo_move_notify(), before the move. */
LTTNG_TRACEPOINT_EVENT(amdgpu_bo_move,

	TP_PROTO(struct amdgpu_bo *bo, u32 new_placement, u32 old_placement),

	TP_ARGS(bo, new_placement, old_placement),

	TP_FIELDS(
		ctf_integer_hex(u64, bo, gpu_identity(bo))
		ctf_integer(u64, bo_size, amdgpu_bo_bytes(bo))
		ctf_integer(u32, new_placement, new_placement)
		ctf_integer(u32, old_placement, old_placement)
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_bo_list_set
/* amdgpu_bo_list_create(): once per buffer. */
LTTNG_TRACEPOINT_EVENT(amdgpu_bo_list_set,

	TP_PROTO(struct amdgpu_bo_list *list, struct amdgpu_bo *bo),

	TP_ARGS(list, bo),

	TP_FIELDS(
		ctf_integer_hex(u64, list, gpu_identity(list))
		ctf_integer_hex(u64, bo, gpu_identity(bo))
		ctf_integer(u64, bo_size, amdgpu_bo_bytes(bo))
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_cs_bo_status
/* amdgpu_bo_list_create(): how many buffers, and their bytes. */
LTTNG_TRACEPOINT_EVENT(amdgpu_cs_bo_status,

	TP_PROTO(u64 total_bo, u64 total_size),

	TP_ARGS(total_bo, total_size),

	TP_FIELDS(
		ctf_integer(u64, total_bo, total_bo)
		ctf_integer(u64, total_size, total_size)
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_vm_grab_id
/* amdgpu_vmid_grab(), in the worker of the scheduler. */
LTTNG_TRACEPOINT_EVENT(amdgpu_vm_grab_id,

	TP_PROTO(struct amdgpu_vm *vm, struct amdgpu_ring *ring, struct amdgpu_job *job),

	TP_ARGS(vm, ring, job),

	TP_FIELDS(
		ctf_integer(u32, pasid, gpu_field(vm, amdgpu_vm, pasid, unsigned int))
		ctf_string(ring, amdgpu_ring_name(ring))
		ctf_integer(u32, vmid, gpu_field(job, amdgpu_job, vmid, unsigned int))
		LTTNG_GPU_AMDGPU_VM_HUB(ring)
		ctf_integer_hex(u64, pd_addr, gpu_field(job, amdgpu_job, vm_pd_addr, u64))
		ctf_integer(u32, needs_flush, gpu_field(job, amdgpu_job, vm_needs_flush, bool))
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_vm_flush
/* amdgpu_vm_flush(), in the worker of the scheduler. */
LTTNG_TRACEPOINT_EVENT(amdgpu_vm_flush,

	TP_PROTO(struct amdgpu_ring *ring, unsigned int vmid, u64 pd_addr),

	TP_ARGS(ring, vmid, pd_addr),

	TP_FIELDS(
		ctf_string(ring, amdgpu_ring_name(ring))
		ctf_integer(u32, vmid, vmid)
		LTTNG_GPU_AMDGPU_VM_HUB(ring)
		ctf_integer_hex(u64, pd_addr, pd_addr)
	)
)
#endif

#if defined(GPU_TRACEPOINT_amdgpu_vm_bo_map) || defined(GPU_TRACEPOINT_amdgpu_vm_bo_unmap)
/* start and last are page numbers, u64 in the mapping and in its other events; the kernel's event has them as long. */
LTTNG_TRACEPOINT_EVENT_CLASS(amdgpu_vm_bo_va,

	TP_PROTO(struct amdgpu_bo_va *bo_va, struct amdgpu_bo_va_mapping *mapping),

	TP_ARGS(bo_va, mapping),

	TP_FIELDS(
		ctf_integer_hex(u64, bo, gpu_identity(amdgpu_mapped_bo(bo_va)))
		ctf_integer_hex(u64, start, gpu_field(mapping, amdgpu_bo_va_mapping, start, u64))
		ctf_integer_hex(u64, last, gpu_field(mapping, amdgpu_bo_va_mapping, last, u64))
		ctf_integer_hex(u64, offset, gpu_field(mapping, amdgpu_bo_va_mapping, offset, u64))
		LTTNG_GPU_AMDGPU_MAPPING_FLAGS(mapping)
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_vm_bo_map
/* amdgpu_vm_bo_insert_map(). */
LTTNG_TRACEPOINT_EVENT_INSTANCE(amdgpu_vm_bo_va,

	amdgpu_vm_bo_map,

	TP_PROTO(struct amdgpu_bo_va *bo_va, struct amdgpu_bo_va_mapping *mapping),

	TP_ARGS(bo_va, mapping)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_vm_bo_unmap
/* amdgpu_vm_bo_unmap(), amdgpu_vm_bo_clear_mappings(), amdgpu_vm_bo_del(); the mapping is freed afterwards. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(amdgpu_vm_bo_va,

	amdgpu_vm_bo_unmap,

	TP_PROTO(struct amdgpu_bo_va *bo_va, struct amdgpu_bo_va_mapping *mapping),

	TP_ARGS(bo_va, mapping)
)
#endif

#if defined(GPU_TRACEPOINT_amdgpu_vm_bo_update) || defined(GPU_TRACEPOINT_amdgpu_vm_bo_mapping) ||       \
	defined(GPU_TRACEPOINT_amdgpu_vm_bo_cs)
LTTNG_TRACEPOINT_EVENT_CLASS(amdgpu_vm_mapping,

	TP_PROTO(struct amdgpu_bo_va_mapping *mapping),

	TP_ARGS(mapping),

	TP_FIELDS(
		ctf_integer_hex(u64, soffset, gpu_field(mapping, amdgpu_bo_va_mapping, start, u64))
		ctf_integer_hex(u64, eoffset, gpu_field(mapping, amdgpu_bo_va_mapping, last, u64) + 1)
		LTTNG_GPU_AMDGPU_MAPPING_FLAGS(mapping)
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_vm_bo_update
/* amdgpu_vm_bo_update(), before the page tables are written. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(amdgpu_vm_mapping,

	amdgpu_vm_bo_update,

	TP_PROTO(struct amdgpu_bo_va_mapping *mapping),

	TP_ARGS(mapping)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_vm_bo_mapping
/* amdgpu_vm_bo_update(), once per valid mapping after it. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(amdgpu_vm_mapping,

	amdgpu_vm_bo_mapping,

	TP_PROTO(struct amdgpu_bo_va_mapping *mapping),

	TP_ARGS(mapping)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_vm_bo_cs
/* amdgpu_vm_bo_trace_cs(): every mapping that the submission has reserved, just before amdgpu_cs_ioctl. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(amdgpu_vm_mapping,

	amdgpu_vm_bo_cs,

	TP_PROTO(struct amdgpu_bo_va_mapping *mapping),

	TP_ARGS(mapping)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_vm_set_ptes
/* amdgpu_vm_sdma_set_ptes(), amdgpu_vm_cpu_update(). */
LTTNG_TRACEPOINT_EVENT(amdgpu_vm_set_ptes,

	TP_PROTO(u64 pe, u64 addr, unsigned int count, u32 incr, u64 flags, bool immediate),

	TP_ARGS(pe, addr, count, incr, flags, immediate),

	TP_FIELDS(
		ctf_integer_hex(u64, pe, pe)
		ctf_integer_hex(u64, addr, addr)
		ctf_integer(u32, count, count)
		ctf_integer(u32, incr, incr)
		ctf_integer_hex(u64, flags, flags)
		ctf_integer(bool, immediate, immediate)
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_vm_copy_ptes
/* amdgpu_vm_sdma_copy_ptes(). */
LTTNG_TRACEPOINT_EVENT(amdgpu_vm_copy_ptes,

	TP_PROTO(u64 pe, u64 src, unsigned int count, bool immediate),

	TP_ARGS(pe, src, count, immediate),

	TP_FIELDS(
		ctf_integer_hex(u64, pe, pe)
		ctf_integer_hex(u64, src, src)
		ctf_integer(u32, count, count)
		ctf_integer(bool, immediate, immediate)
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_vm_update_ptes
/*
 * amdgpu_vm_ptes_update(). nptes is a count of entries that the caller has cut (to 32 in 6.1 to 7.2), and every one of
 * them is in dst. They are computed one by one into the buffer, so no array is needed however many there are; LTTng's
 * filters cannot look at such a field.
 */
LTTNG_TRACEPOINT_EVENT_CODE(amdgpu_vm_update_ptes,

	TP_PROTO(struct amdgpu_vm_update_params *params, u64 start, u64 end, unsigned int nptes, u64 dst, u64 incr,
		 u64 flags, pid_t pid, u64 vm_ctx),

	TP_ARGS(params, start, end, nptes, dst, incr, flags, pid, vm_ctx),

	TP_locvar(const dma_addr_t *pages;),

	TP_code_pre(tp_locvar->pages = amdgpu_page_addresses(params);),

	TP_FIELDS(
		ctf_integer_hex(u64, start, start)
		ctf_integer_hex(u64, end, end)
		ctf_integer_hex(u64, flags, flags)
		ctf_integer(unsigned int, nptes, nptes)
		ctf_integer(u64, incr, incr)
		ctf_integer(pid_t, pid, pid)
		ctf_integer(u64, vm_ctx, vm_ctx)
		ctf_custom_field(
			ctf_custom_type(
				lttng_kernel_static_type_integer_from_type(unsigned int, __BYTE_ORDER, 10)
			),
			_dst_length,
			ctf_custom_code(
				ctf_integer_type(unsigned int, nptes)
				/* Readers align also before a sequence of length 0. */
				ctf_align(u64)
			)
		)
		ctf_custom_field(
			ctf_custom_type(
				lttng_kernel_static_type_sequence(NULL,
					lttng_kernel_static_type_integer_from_type(u64, __BYTE_ORDER, 16),
					0,
					none)
			),
			dst,
			ctf_custom_code(
				unsigned int i;

				for (i = 0; i < nptes; i++) {
					ctf_integer_type(u64, amdgpu_pte_destination(tp_locvar->pages, dst + i * incr))
				}
			)
		)
	),

	TP_code_post()
)
#endif

#if defined(GPU_TRACEPOINT_amdgpu_pasid_allocated) || defined(GPU_TRACEPOINT_amdgpu_pasid_freed)
LTTNG_TRACEPOINT_EVENT_CLASS(amdgpu_pasid,

	TP_PROTO(unsigned int pasid),

	TP_ARGS(pasid),

	TP_FIELDS(
		ctf_integer(unsigned int, pasid, pasid)
	)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_pasid_allocated
/* amdgpu_pasid_alloc(). */
LTTNG_TRACEPOINT_EVENT_INSTANCE(amdgpu_pasid,

	amdgpu_pasid_allocated,

	TP_PROTO(unsigned int pasid),

	TP_ARGS(pasid)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_pasid_freed
/* amdgpu_pasid_free(). */
LTTNG_TRACEPOINT_EVENT_INSTANCE(amdgpu_pasid,

	amdgpu_pasid_freed,

	TP_PROTO(unsigned int pasid),

	TP_ARGS(pasid)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_reset_reg_dumps
/* amdgpu_reset_reg_dumps() in 6.1; 6.12 and 7.2 have the event and never emit it. */
LTTNG_TRACEPOINT_EVENT(amdgpu_reset_reg_dumps,

	TP_PROTO(u32 address, u32 value),

	TP_ARGS(address, value),

	TP_FIELDS(
		ctf_integer_hex(u32, address, address)
		ctf_integer_hex(u32, value, value)
	)
)
#endif

#endif /* LTTNG_GPU_TRACE_AMDGPU_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
