/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The register accesses of xe (drivers/gpu/drm/xe/xe_trace.h), apart from its other events because there are so many
 * of them.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM xe_reg

#if !defined(LTTNG_GPU_TRACE_XE_REG_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_XE_REG_H

#include <lttng/tracepoint-event.h>

/* xe_mmio_read8(), xe_mmio_write32() and so on; len in bytes. */
LTTNG_TRACEPOINT_EVENT(xe_reg_rw,

	TP_PROTO(gpu_xe_reg_window *window, bool write, u32 reg, u64 val, int len),

	TP_ARGS(window, write, reg, val, len),

	TP_FIELDS(
		ctf_string(dev, gpu_xe_reg_dev(window))
		ctf_integer_hex(u64, val, val)
		ctf_integer_hex(u32, reg, reg)
		ctf_integer(u16, write, write)
		ctf_integer(u16, len, len)
	)
)

#endif /* LTTNG_GPU_TRACE_XE_REG_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
