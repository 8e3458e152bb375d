/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * i915 events (drivers/gpu/drm/i915/i915_trace.h), with the kernel's fields. Request events give seqno in full; the
 * kernel cuts it to 32 bits. ctx and seqno are context and seqno of the request's fence, dev is the number of the DRM
 * device, and i915_request_queue says its name.
 *
 * i915_request_submit, _execute, _in, _out and _guc_submit are compiled out of every distribution's kernel
 * (CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS). There modules/probes/gpu_i915_hooks.h makes them, and recreated is 1.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM i915

#if !defined(LTTNG_GPU_TRACE_I915_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_I915_H

#include <lttng/tracepoint-event.h>
#include <instrumentation/gpu_payload.h>

/* Who fires the event decides whether the engine may be read, see modules/probes/lttng-probe-gpu-i915.c. */
#define LTTNG_GPU_I915_LOCVAR TP_locvar(struct gpu_i915_request_facts rq;)
#define LTTNG_GPU_I915_FROM_OWNER TP_code_pre(tp_locvar->rq = gpu_i915_request_facts_from_owner(rq);)
#define LTTNG_GPU_I915_FROM_ANYBODY TP_code_pre(tp_locvar->rq = gpu_i915_request_facts_from_anybody(rq);)

#define LTTNG_GPU_I915_REQUEST_LIST(integer, hexadecimal, string)                                      \
	integer(u32, dev, tp_locvar->rq.minor)                                                         \
	integer(u64, ctx, tp_locvar->rq.fence->context)                                                \
	integer(u16, class, tp_locvar->rq.class)                                                       \
	integer(u16, instance, tp_locvar->rq.instance)                                                 \
	integer(u64, seqno, tp_locvar->rq.fence->seqno)

#define LTTNG_GPU_I915_JOB_FIELDS(integer, hexadecimal, string)                                        \
	LTTNG_GPU_I915_REQUEST_LIST(integer, hexadecimal, string)                                      \
	integer(u32, tail, gpu_field(rq, i915_request, tail, u32))

/* Of those that do not fire for every job. */
#define LTTNG_GPU_I915_REQUEST_FIELDS LTTNG_GPU_I915_REQUEST_LIST(ctf_integer, ctf_integer_hex, ctf_string)

#define LTTNG_GPU_I915_TAIL ctf_integer(u32, tail, gpu_field(rq, i915_request, tail, u32))

#if defined(GPU_TRACEPOINT_i915_request_queue)
/* eb_submit() of the execbuffer ioctl: the batch is about to be put into its request. */
LTTNG_TRACEPOINT_EVENT_CODE(i915_request_queue,

	TP_PROTO(struct i915_request *rq, u32 flags),

	TP_ARGS(rq, flags),

	LTTNG_GPU_I915_LOCVAR,

	LTTNG_GPU_I915_FROM_OWNER,

	TP_FIELDS(
		LTTNG_GPU_I915_REQUEST_FIELDS
		ctf_integer_hex(u32, flags, flags)
		ctf_string(dev_name, gpu_i915_device_name(rq))
	),

	TP_code_post()
)
#endif

#if defined(GPU_TRACEPOINT_i915_request_add) || defined(GPU_TRACEPOINT_i915_request_retire)
#ifdef GPU_PAYLOAD_IS_WRITTEN
#define __event_get_size__i915_request GPU_PAYLOAD_SIZE
#endif
GPU_PAYLOAD_CLASS(i915_request,

	TP_PROTO(struct i915_request *rq),

	TP_ARGS(rq),

	struct gpu_i915_request_facts rq;,

	tp_locvar->rq = gpu_i915_request_facts_from_owner(rq);,

	LTTNG_GPU_I915_JOB_FIELDS
)
#endif

#if defined(GPU_TRACEPOINT_i915_request_add)
/* i915_request_add(), eb_request_add(): the request is in its timeline. The engine's own have none. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_request,

	i915_request_add,

	TP_PROTO(struct i915_request *rq),

	TP_ARGS(rq)
)
#endif

#if defined(GPU_TRACEPOINT_i915_request_retire)
/* i915_request_retire(): bookkeeping, any time after completion. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_request,

	i915_request_retire,

	TP_PROTO(struct i915_request *rq),

	TP_ARGS(rq)
)
#endif

#if defined(GPU_TRACEPOINT_i915_request_wait_begin)
/* i915_request_wait_timeout(), by the waiting thread. */
LTTNG_TRACEPOINT_EVENT_CODE(i915_request_wait_begin,

	TP_PROTO(struct i915_request *rq, unsigned int flags),

	TP_ARGS(rq, flags),

	LTTNG_GPU_I915_LOCVAR,

	LTTNG_GPU_I915_FROM_ANYBODY,

	TP_FIELDS(
		LTTNG_GPU_I915_REQUEST_FIELDS
		ctf_integer_hex(unsigned int, flags, flags)
	),

	TP_code_post()
)
#endif

#if defined(GPU_TRACEPOINT_i915_request_wait_end)
LTTNG_TRACEPOINT_EVENT_CODE(i915_request_wait_end,

	TP_PROTO(struct i915_request *rq),

	TP_ARGS(rq),

	LTTNG_GPU_I915_LOCVAR,

	LTTNG_GPU_I915_FROM_ANYBODY,

	TP_FIELDS(
		LTTNG_GPU_I915_REQUEST_FIELDS
		LTTNG_GPU_I915_TAIL
	),

	TP_code_post()
)
#endif

#if LTTNG_GPU_I915_HAS_LOW_LEVEL
LTTNG_TRACEPOINT_EVENT_CLASS_CODE(i915_request_low_level,

	TP_PROTO(struct i915_request *rq),

	TP_ARGS(rq),

	LTTNG_GPU_I915_LOCVAR,

	LTTNG_GPU_I915_FROM_OWNER,

	TP_FIELDS(
		LTTNG_GPU_I915_REQUEST_FIELDS
		LTTNG_GPU_I915_TAIL
		ctf_integer(u8, recreated, LTTNG_GPU_I915_RECREATED)
	),

	TP_code_post()
)
#endif

#if defined(GPU_TRACEPOINT_i915_request_submit) || defined(GPU_RECREATED_i915_request_submit)
/* submit_notify(): all that the request waited for has signalled; its back end gets it. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_request_low_level,

	i915_request_submit,

	TP_PROTO(struct i915_request *rq),

	TP_ARGS(rq)
)
#endif

#if defined(GPU_TRACEPOINT_i915_request_execute) || defined(GPU_RECREATED_i915_request_execute)
/* __i915_request_submit(): the back end is about to write it to the ring. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_request_low_level,

	i915_request_execute,

	TP_PROTO(struct i915_request *rq),

	TP_ARGS(rq)
)
#endif

#if defined(GPU_TRACEPOINT_i915_request_guc_submit) || defined(GPU_RECREATED_i915_request_guc_submit)
/* __guc_add_request(): given to the GuC firmware. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_request_low_level,

	i915_request_guc_submit,

	TP_PROTO(struct i915_request *rq),

	TP_ARGS(rq)
)
#endif

#if defined(GPU_TRACEPOINT_i915_request_in) || defined(GPU_RECREATED_i915_request_in)
/* execlists_schedule_in(): given to that port of the engine; with the GuC, handed over (port is 0). */
LTTNG_TRACEPOINT_EVENT_CODE(i915_request_in,

	TP_PROTO(struct i915_request *rq, unsigned int port),

	TP_ARGS(rq, port),

	LTTNG_GPU_I915_LOCVAR,

	LTTNG_GPU_I915_FROM_OWNER,

	TP_FIELDS(
		LTTNG_GPU_I915_REQUEST_FIELDS
		ctf_integer(u32, port, port)
		ctf_integer(s32, prio, gpu_field(rq, i915_request, sched_attr_priority, int))
		ctf_integer(u8, recreated, LTTNG_GPU_I915_RECREATED)
	),

	TP_code_post()
)
#endif

#if defined(GPU_TRACEPOINT_i915_request_out) || defined(GPU_RECREATED_i915_request_out)
/* execlists_schedule_out(): has left the engine, preempted if it has not completed. There is none with the GuC. */
LTTNG_TRACEPOINT_EVENT_CODE(i915_request_out,

	TP_PROTO(struct i915_request *rq),

	TP_ARGS(rq),

	LTTNG_GPU_I915_LOCVAR,

	LTTNG_GPU_I915_FROM_OWNER,

	TP_FIELDS(
		LTTNG_GPU_I915_REQUEST_FIELDS
		ctf_integer(u32, completed, gpu_i915_request_completed(rq))
		ctf_integer(u8, recreated, LTTNG_GPU_I915_RECREATED)
	),

	TP_code_post()
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_object_create)
LTTNG_TRACEPOINT_EVENT(i915_gem_object_create,

	TP_PROTO(struct drm_i915_gem_object *obj),

	TP_ARGS(obj),

	TP_FIELDS(
		ctf_integer_hex(u64, obj, gpu_identity(obj))
		ctf_integer(u64, size, gpu_field(obj, drm_i915_gem_object, base_size, size_t))
	)
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_object_destroy) || defined(GPU_TRACEPOINT_i915_gem_object_clflush)
LTTNG_TRACEPOINT_EVENT_CLASS(i915_gem_object,

	TP_PROTO(struct drm_i915_gem_object *obj),

	TP_ARGS(obj),

	TP_FIELDS(
		ctf_integer_hex(u64, obj, gpu_identity(obj))
	)
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_object_destroy)
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_gem_object,

	i915_gem_object_destroy,

	TP_PROTO(struct drm_i915_gem_object *obj),

	TP_ARGS(obj)
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_object_clflush)
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_gem_object,

	i915_gem_object_clflush,

	TP_PROTO(struct drm_i915_gem_object *obj),

	TP_ARGS(obj)
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_object_pwrite) || defined(GPU_TRACEPOINT_i915_gem_object_pread)
LTTNG_TRACEPOINT_EVENT_CLASS(i915_gem_object_copy,

	TP_PROTO(struct drm_i915_gem_object *obj, u64 offset, u64 len),

	TP_ARGS(obj, offset, len),

	TP_FIELDS(
		ctf_integer_hex(u64, obj, gpu_identity(obj))
		ctf_integer(u64, offset, offset)
		ctf_integer(u64, len, len)
	)
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_object_pwrite)
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_gem_object_copy,

	i915_gem_object_pwrite,

	TP_PROTO(struct drm_i915_gem_object *obj, u64 offset, u64 len),

	TP_ARGS(obj, offset, len)
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_object_pread)
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_gem_object_copy,

	i915_gem_object_pread,

	TP_PROTO(struct drm_i915_gem_object *obj, u64 offset, u64 len),

	TP_ARGS(obj, offset, len)
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_object_fault)
/* vm_fault_gtt(), vm_fault_cpu(), vm_fault_ttm(): user space touched a page of a mapping. */
LTTNG_TRACEPOINT_EVENT(i915_gem_object_fault,

	TP_PROTO(struct drm_i915_gem_object *obj, u64 index, bool gtt, bool write),

	TP_ARGS(obj, index, gtt, write),

	TP_FIELDS(
		ctf_integer_hex(u64, obj, gpu_identity(obj))
		ctf_integer(u64, index, index)
		ctf_integer(bool, gtt, gtt)
		ctf_integer(bool, write, write)
	)
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_shrink)
LTTNG_TRACEPOINT_EVENT(i915_gem_shrink,

	TP_PROTO(struct drm_i915_private *i915, unsigned long target, unsigned int flags),

	TP_ARGS(i915, target, flags),

	TP_FIELDS(
		ctf_integer(int, dev, gpu_i915_minor(i915))
		ctf_integer(unsigned long, target, target)
		ctf_integer_hex(unsigned int, flags, flags)
	)
)
#endif

#define LTTNG_GPU_I915_SPACE_MINOR(vm)                                                                 \
	gpu_i915_minor(gpu_field(vm, i915_address_space, i915, struct drm_i915_private *))

#if defined(GPU_TRACEPOINT_i915_gem_evict)
LTTNG_TRACEPOINT_EVENT(i915_gem_evict,

	TP_PROTO(struct i915_address_space *vm, u64 size, u64 align, unsigned int flags),

	TP_ARGS(vm, size, align, flags),

	TP_FIELDS(
		ctf_integer(u32, dev, LTTNG_GPU_I915_SPACE_MINOR(vm))
		ctf_integer_hex(u64, vm, gpu_identity(vm))
		ctf_integer(u64, size, size)
		ctf_integer(u64, align, align)
		ctf_integer_hex(unsigned int, flags, flags)
	)
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_evict_node)
LTTNG_TRACEPOINT_EVENT(i915_gem_evict_node,

	TP_PROTO(struct i915_address_space *vm, struct drm_mm_node *node, unsigned int flags),

	TP_ARGS(vm, node, flags),

	TP_FIELDS(
		ctf_integer(u32, dev, LTTNG_GPU_I915_SPACE_MINOR(vm))
		ctf_integer_hex(u64, vm, gpu_identity(vm))
		ctf_integer_hex(u64, start, gpu_field(node, drm_mm_node, start, u64))
		ctf_integer(u64, size, gpu_field(node, drm_mm_node, size, u64))
		ctf_integer(unsigned long, color, gpu_field(node, drm_mm_node, color, unsigned long))
		ctf_integer_hex(unsigned int, flags, flags)
	)
)
#endif

#if defined(GPU_TRACEPOINT_i915_gem_evict_vm)
LTTNG_TRACEPOINT_EVENT(i915_gem_evict_vm,

	TP_PROTO(struct i915_address_space *vm),

	TP_ARGS(vm),

	TP_FIELDS(
		ctf_integer(u32, dev, LTTNG_GPU_I915_SPACE_MINOR(vm))
		ctf_integer_hex(u64, vm, gpu_identity(vm))
	)
)
#endif

#define LTTNG_GPU_I915_VMA_FIELDS                                                                      \
	ctf_integer_hex(u64, obj, gpu_identity(gpu_field(vma, i915_vma, obj, const void *)))           \
	ctf_integer_hex(u64, vm, gpu_identity(gpu_field(vma, i915_vma, vm, const void *)))             \
	ctf_integer_hex(u64, offset, gpu_field(vma, i915_vma, node_start, u64))                        \
	ctf_integer(u64, size, gpu_field(vma, i915_vma, node_size, u64))

#if defined(GPU_TRACEPOINT_i915_vma_bind)
LTTNG_TRACEPOINT_EVENT(i915_vma_bind,

	TP_PROTO(struct i915_vma *vma, unsigned int flags),

	TP_ARGS(vma, flags),

	TP_FIELDS(
		LTTNG_GPU_I915_VMA_FIELDS
		ctf_integer_hex(unsigned int, flags, flags)
	)
)
#endif

#if defined(GPU_TRACEPOINT_i915_vma_unbind)
LTTNG_TRACEPOINT_EVENT(i915_vma_unbind,

	TP_PROTO(struct i915_vma *vma),

	TP_ARGS(vma),

	TP_FIELDS(
		LTTNG_GPU_I915_VMA_FIELDS
	)
)
#endif

#if defined(GPU_TRACEPOINT_i915_ppgtt_create) || defined(GPU_TRACEPOINT_i915_ppgtt_release)
LTTNG_TRACEPOINT_EVENT_CLASS(i915_ppgtt,

	TP_PROTO(struct i915_address_space *vm),

	TP_ARGS(vm),

	TP_FIELDS(
		ctf_integer_hex(u64, vm, gpu_identity(vm))
		ctf_integer(u32, dev, LTTNG_GPU_I915_SPACE_MINOR(vm))
	)
)
#endif

#if defined(GPU_TRACEPOINT_i915_ppgtt_create)
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_ppgtt,

	i915_ppgtt_create,

	TP_PROTO(struct i915_address_space *vm),

	TP_ARGS(vm)
)
#endif

#if defined(GPU_TRACEPOINT_i915_ppgtt_release)
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_ppgtt,

	i915_ppgtt_release,

	TP_PROTO(struct i915_address_space *vm),

	TP_ARGS(vm)
)
#endif

#if defined(GPU_TRACEPOINT_i915_context_create) || defined(GPU_TRACEPOINT_i915_context_free)
LTTNG_TRACEPOINT_EVENT_CLASS(i915_context,

	TP_PROTO(struct i915_gem_context *ctx),

	TP_ARGS(ctx),

	TP_FIELDS(
		ctf_integer(u32, dev,
			    gpu_i915_minor(gpu_field(ctx, i915_gem_context, i915, struct drm_i915_private *)))
		ctf_integer_hex(u64, ctx, gpu_identity(ctx))
		ctf_integer_hex(u64, vm, gpu_identity(gpu_field(ctx, i915_gem_context, vm, const void *)))
	)
)
#endif

#if defined(GPU_TRACEPOINT_i915_context_create)
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_context,

	i915_context_create,

	TP_PROTO(struct i915_gem_context *ctx),

	TP_ARGS(ctx)
)
#endif

#if defined(GPU_TRACEPOINT_i915_context_free)
LTTNG_TRACEPOINT_EVENT_INSTANCE(i915_context,

	i915_context_free,

	TP_PROTO(struct i915_gem_context *ctx),

	TP_ARGS(ctx)
)
#endif

#endif /* LTTNG_GPU_TRACE_I915_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
