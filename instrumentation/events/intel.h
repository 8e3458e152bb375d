/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of i915_trace.h whose names begin with intel_: LTTng wants the provider's name in front of every event,
 * and a provider intel keeps the names that the kernel gave them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM intel

#if !defined(LTTNG_GPU_TRACE_INTEL_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_INTEL_H

#include <lttng/tracepoint-event.h>

#if defined(GPU_TRACEPOINT_intel_gpu_freq_change)
/* rps_set(): the frequency that the driver has asked for, in MHz. */
LTTNG_TRACEPOINT_EVENT(intel_gpu_freq_change,

	TP_PROTO(u32 freq),

	TP_ARGS(freq),

	TP_FIELDS(
		ctf_integer(u32, freq, freq)
	)
)
#endif

/* Life of a context under the GuC; the kernel has all of them or, without low-level tracepoints, none. */
#if defined(GPU_TRACEPOINT_intel_context_create)
LTTNG_TRACEPOINT_EVENT_CLASS(intel_context,

	TP_PROTO(struct intel_context *ce),

	TP_ARGS(ce),

	TP_FIELDS(
		ctf_integer(u32, guc_id, gpu_field(ce, intel_context, guc_id_id, u16))
		ctf_integer(int, pin_count,
			    atomic_read(gpu_field_address(ce, intel_context, pin_count, const atomic_t)))
		ctf_integer_hex(u32, sched_state, gpu_field(ce, intel_context, guc_state_sched_state, u32))
		ctf_integer(u8, guc_prio, gpu_field(ce, intel_context, guc_state_prio, u8))
	)
)

#define LTTNG_GPU_INTEL_CONTEXT(event)                                                                 \
	LTTNG_TRACEPOINT_EVENT_INSTANCE(intel_context, event, TP_PROTO(struct intel_context *ce), TP_ARGS(ce))

LTTNG_GPU_INTEL_CONTEXT(intel_context_set_prio)
LTTNG_GPU_INTEL_CONTEXT(intel_context_reset)
LTTNG_GPU_INTEL_CONTEXT(intel_context_ban)
LTTNG_GPU_INTEL_CONTEXT(intel_context_register)
LTTNG_GPU_INTEL_CONTEXT(intel_context_deregister)
LTTNG_GPU_INTEL_CONTEXT(intel_context_deregister_done)
LTTNG_GPU_INTEL_CONTEXT(intel_context_sched_enable)
LTTNG_GPU_INTEL_CONTEXT(intel_context_sched_disable)
LTTNG_GPU_INTEL_CONTEXT(intel_context_sched_done)
LTTNG_GPU_INTEL_CONTEXT(intel_context_create)
LTTNG_GPU_INTEL_CONTEXT(intel_context_fence_release)
LTTNG_GPU_INTEL_CONTEXT(intel_context_free)
LTTNG_GPU_INTEL_CONTEXT(intel_context_steal_guc_id)
LTTNG_GPU_INTEL_CONTEXT(intel_context_do_pin)
LTTNG_GPU_INTEL_CONTEXT(intel_context_do_unpin)
#endif

#endif /* LTTNG_GPU_TRACE_INTEL_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
