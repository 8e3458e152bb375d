// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of the DRM GPU scheduler (gpu_scheduler).
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/drm.h>.
 */
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/drm.h>
#include "gpu_sched_job.h"

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events

#include <instrumentation/events/drm.h>

#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of the DRM GPU scheduler (gpu_scheduler)");
