// SPDX-License-Identifier: GPL-2.0-only
/* What LTTng costs when a probe reads nothing: the same path as the probes of modules/probes, guard included. */
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/gpu_fence.h>

#include "gpu_probe_guard.h"

GPU_PROBE(gpubench_nothing, (struct dma_fence *fence), (fence))

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH .

#include "gpubench.h"

GPU_PROBE_MODULE(gpubench);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("the lttng-gpu developers");
MODULE_DESCRIPTION("An LTTng event without fields, for measuring");
