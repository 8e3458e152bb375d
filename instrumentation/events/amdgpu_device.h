/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Register accesses of amdgpu (drivers/gpu/drm/amd/amdgpu/amdgpu_trace.h), in a provider of their own because they
 * are recorded on request only. did is the PCI device ID, reg an index of 32-bit registers.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM amdgpu_device

#if !defined(LTTNG_GPU_TRACE_AMDGPU_DEVICE_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_AMDGPU_DEVICE_H

#include <lttng/tracepoint-event.h>

LTTNG_TRACEPOINT_EVENT_CLASS(amdgpu_device_register,

	TP_PROTO(unsigned int did, u32 reg, u32 value),

	TP_ARGS(did, reg, value),

	TP_FIELDS(
		ctf_integer_hex(unsigned int, did, did)
		ctf_integer_hex(u32, reg, reg)
		ctf_integer_hex(u32, value, value)
	)
)

#ifdef GPU_TRACEPOINT_amdgpu_device_rreg
/* amdgpu_device_rreg(): the value has been read. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(amdgpu_device_register,

	amdgpu_device_rreg,

	TP_PROTO(unsigned int did, u32 reg, u32 value),

	TP_ARGS(did, reg, value)
)
#endif

#ifdef GPU_TRACEPOINT_amdgpu_device_wreg
/* amdgpu_device_wreg(): the value has been written. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(amdgpu_device_register,

	amdgpu_device_wreg,

	TP_PROTO(unsigned int did, u32 reg, u32 value),

	TP_ARGS(did, reg, value)
)
#endif

#endif /* LTTNG_GPU_TRACE_AMDGPU_DEVICE_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
