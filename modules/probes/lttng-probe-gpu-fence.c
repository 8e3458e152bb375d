// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of dma_fence, as provider gpu_fence.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/gpu_fence.h>.
 */
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/gpu_fence.h>
#include "gpu_fence_names.h"

#include "gpu_probe_guard.h"

GPU_PROBE(gpu_fence_owner, (struct dma_fence *fence), (fence))
GPU_PROBE(gpu_fence_anybody, (struct dma_fence *fence), (fence))

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events

#include <instrumentation/events/gpu_fence.h>

GPU_PROBE_MODULE(gpu_fence);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_fence_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of dma_fence, as provider gpu_fence");
