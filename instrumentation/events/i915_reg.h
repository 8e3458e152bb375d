/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every register access of i915. The kernel's tracepoint has a condition, its argument trace; the inline function
 * trace_i915_reg_rw() tests it before it calls anybody, so no handler is called for what i915 wants untraced.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM i915_reg

#if !defined(LTTNG_GPU_TRACE_I915_REG_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_I915_REG_H

#include <lttng/tracepoint-event.h>

LTTNG_TRACEPOINT_EVENT(i915_reg_rw,

	TP_PROTO(bool write, i915_reg_t reg, u64 val, int len, bool trace),

	TP_ARGS(write, reg, val, len, trace),

	TP_FIELDS(
		ctf_integer_hex(u64, val, val)
		ctf_integer_hex(u32, reg, reg.reg)
		ctf_integer(u16, write, write)
		ctf_integer(u16, len, len)
	)
)

#endif /* LTTNG_GPU_TRACE_I915_REG_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
