// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probe of xe's register accesses: loaded on request only, there are very many. Its provider is xe_reg.
 *
 * The kernel's own header of this tracepoint is not installed, so the compiler cannot check the prototype;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/xe_reg.h>.
 */
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/xe_reg.h>
#include "gpu_xe_reg.h"

#include "gpu_probe_guard.h"

GPU_PROBE(xe_reg_rw, (gpu_xe_reg_window *window, bool write, u32 reg, u64 val, int len),
	  (window, write, reg, val, len))

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events

#include <instrumentation/events/xe_reg.h>

GPU_PROBE_MODULE(xe_reg);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_xe_registers_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probe of xe's register accesses");
