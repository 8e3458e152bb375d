/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * amdxdna events: include/trace/events/amdxdna.h, with its fields. The kernel calls them xdna_job, mbox_... and
 * amdxdna_debug_point; LTTng wants the provider's name in front of every event.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM amdxdna

#if !defined(LTTNG_GPU_TRACE_AMDXDNA_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_AMDXDNA_H

#include <lttng/tracepoint-event.h>

#ifdef GPU_TRACEPOINT_xdna_job
#if GPU_TRACEPOINT_xdna_job == 1
#define LTTNG_GPU_AMDXDNA_JOB_PROTO                                                                    \
	TP_PROTO(struct drm_sched_job *job, const char *name, const char *str, u64 seq, u32 op)
#define LTTNG_GPU_AMDXDNA_JOB_ARGS TP_ARGS(job, name, str, seq, op)
#define LTTNG_GPU_AMDXDNA_JOB_OP ctf_integer(u32, op, op)
#else
#define LTTNG_GPU_AMDXDNA_JOB_PROTO                                                                    \
	TP_PROTO(struct drm_sched_job *job, const char *name, const char *str, u64 seq)
#define LTTNG_GPU_AMDXDNA_JOB_ARGS TP_ARGS(job, name, str, seq)
#define LTTNG_GPU_AMDXDNA_JOB_OP
#endif

/*
 * A step in the life of a job of the GPU scheduler, which str names: "sent to device" (aie2_sched_job_run()), "signaled
 * fence" (aie2_sched_notify(): the device has answered), "job free", "job timedout". name is that of the hardware
 * context, seq the job's place in it; the fence is the one that the scheduler's events name.
 */
LTTNG_TRACEPOINT_EVENT_MAP(xdna_job,

	amdxdna_job,

	LTTNG_GPU_AMDXDNA_JOB_PROTO,

	LTTNG_GPU_AMDXDNA_JOB_ARGS,

	TP_FIELDS(
		ctf_string(name, name)
		ctf_string(str, str)
		ctf_integer(u64, fence_context, amdxdna_finished(job)->context)
		ctf_integer(u64, fence_seqno, amdxdna_finished(job)->seqno)
		ctf_integer(u64, seq, seq)
		LTTNG_GPU_AMDXDNA_JOB_OP
	)
)
#endif

#if defined(GPU_TRACEPOINT_mbox_set_tail) || defined(GPU_TRACEPOINT_mbox_set_head)
LTTNG_TRACEPOINT_EVENT_CLASS(amdxdna_mbox_message,

	TP_PROTO(char *name, u8 channel, u32 opcode, u32 id),

	TP_ARGS(name, channel, opcode, id),

	TP_FIELDS(
		ctf_string(name, name)
		ctf_integer(u32, chann_id, channel)
		ctf_integer_hex(u32, opcode, opcode)
		ctf_integer_hex(u32, msg_id, id)
	)
)
#endif

#ifdef GPU_TRACEPOINT_mbox_set_tail
/* mailbox_send_msg(): the message is where the firmware reads it. */
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(amdxdna_mbox_message,

	mbox_set_tail,

	amdxdna_mbox_set_tail,

	TP_PROTO(char *name, u8 channel, u32 opcode, u32 id),

	TP_ARGS(name, channel, opcode, id)
)
#endif

#ifdef GPU_TRACEPOINT_mbox_set_head
/* mailbox_get_msg(): the firmware's answer to the message has been dealt with. */
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(amdxdna_mbox_message,

	mbox_set_head,

	amdxdna_mbox_set_head,

	TP_PROTO(char *name, u8 channel, u32 opcode, u32 id),

	TP_ARGS(name, channel, opcode, id)
)
#endif

#if defined(GPU_TRACEPOINT_mbox_irq_handle) || defined(GPU_TRACEPOINT_mbox_rx_worker)
LTTNG_TRACEPOINT_EVENT_CLASS(amdxdna_mbox_interrupt,

	TP_PROTO(char *name, int irq),

	TP_ARGS(name, irq),

	TP_FIELDS(
		ctf_string(name, name)
		ctf_integer(int, irq, irq)
	)
)
#endif

#ifdef GPU_TRACEPOINT_mbox_irq_handle
/* mailbox_irq_handler(): the device says that there are answers. */
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(amdxdna_mbox_interrupt,

	mbox_irq_handle,

	amdxdna_mbox_irq_handle,

	TP_PROTO(char *name, int irq),

	TP_ARGS(name, irq)
)
#endif

#ifdef GPU_TRACEPOINT_mbox_rx_worker
/* mailbox_rx_worker(): the worker that reads them begins. */
LTTNG_TRACEPOINT_EVENT_INSTANCE_MAP(amdxdna_mbox_interrupt,

	mbox_rx_worker,

	amdxdna_mbox_rx_worker,

	TP_PROTO(char *name, int irq),

	TP_ARGS(name, irq)
)
#endif

#ifdef GPU_TRACEPOINT_amdxdna_debug_point
/* Wherever the driver's developers put one. */
LTTNG_TRACEPOINT_EVENT(amdxdna_debug_point,

	TP_PROTO(const char *name, u64 number, const char *str),

	TP_ARGS(name, number, str),

	TP_FIELDS(
		ctf_string(name, name)
		ctf_integer(u64, number, number)
		ctf_string(str, str)
	)
)
#endif

#endif /* LTTNG_GPU_TRACE_AMDXDNA_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
