// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probe of i915's register accesses: thousands per frame, so lttng-probe-gpu does not load it.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/i915_reg.h>.
 */
#include <linux/build_bug.h>
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/i915_reg.h>

/* As i915_reg_defs.h has it. It is passed by value, and kCFI knows it by this name: an unnamed structure has that of its typedef. */
typedef struct {
	u32 reg;
} i915_reg_t;

static_assert(sizeof(i915_reg_t) == GPU_SIZE_i915_reg_t && offsetof(i915_reg_t, reg) == GPU_OFFSET_i915_reg_t_reg);

#define GPU_PROBE_EVENTS <instrumentation/events/i915_reg.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(i915_reg);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_i915_registers_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probe of i915's register accesses");
