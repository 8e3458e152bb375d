/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * intel_vpu events: drivers/accel/ivpu/ivpu_trace.h. The kernel calls them job, jsm and pm, of the system vpu; LTTng wants
 * the provider's name in front. event says what happened ("submit", "done", "[tx]", "suspend", ...): the kernel records a pointer to that text.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM vpu

#if !defined(LTTNG_GPU_TRACE_VPU_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_VPU_H

#include <lttng/tracepoint-event.h>

#ifdef GPU_TRACEPOINT_job
/*
 * "submit": ivpu_job_submit(), in the thread of the ioctl, the device was told. "done": the job's fence was just signalled
 * (gpu_fence_signaled says when). The fence is the job's identity, job_id is used again; jobs of one command queue run in
 * order.
 */
LTTNG_TRACEPOINT_EVENT_MAP(job,

	vpu_job,

	TP_PROTO(const char *event, struct ivpu_job *job),

	TP_ARGS(event, job),

	TP_FIELDS(
		ctf_string(event, event)
		ctf_integer(u32, ctx_id, ivpu_context_id(job))
		ctf_integer(u32, engine_id, gpu_field(job, ivpu_job, engine_idx, u32))
		ctf_integer(u32, job_id, gpu_field(job, ivpu_job, job_id, u32))
		ctf_integer(u32, cmdq_id, gpu_field(job, ivpu_job, cmdq_id, u32))
		ctf_integer(u64, context, ivpu_done_fence(job)->context)
		ctf_integer(u64, seqno, ivpu_done_fence(job)->seqno)
		ctf_string(dev_name, ivpu_device_name(job))
	)
)
#endif

#ifdef GPU_TRACEPOINT_jsm
/* A message to the firmware ("[tx]") or from it ("[rx]"); type is an enum vpu_ipc_msg_type. */
LTTNG_TRACEPOINT_EVENT_MAP(jsm,

	vpu_jsm,

	TP_PROTO(const char *event, struct vpu_jsm_msg *msg),

	TP_ARGS(event, msg),

	TP_FIELDS(
		ctf_string(event, event)
		ctf_integer_hex(u32, type, gpu_field(msg, vpu_jsm_msg, type, u32))
		ctf_integer_hex(u32, status, gpu_field(msg, vpu_jsm_msg, status, u32))
		ctf_integer_hex(u32, request_id, gpu_field(msg, vpu_jsm_msg, request_id, u32))
		ctf_integer_hex(u32, result, gpu_field(msg, vpu_jsm_msg, result, u32))
	)
)
#endif

#ifdef GPU_TRACEPOINT_pm
/* The device is put to sleep, woken or reset. */
LTTNG_TRACEPOINT_EVENT_MAP(pm,

	vpu_pm,

	TP_PROTO(const char *event),

	TP_ARGS(event),

	TP_FIELDS(
		ctf_string(event, event)
	)
)
#endif

#endif /* LTTNG_GPU_TRACE_VPU_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
