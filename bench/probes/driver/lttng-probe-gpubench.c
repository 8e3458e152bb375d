// SPDX-License-Identifier: GPL-2.0-only
/* What LTTng costs when a probe reads nothing: the same path as the probes of modules/probes, guard included. */
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/gpu_fence.h>

/* The fence probe has the other one of this tracepoint. */
#define GPU_TAP_OWN(tracepoint) lttng_gpubench_##tracepoint
#define GPU_PROBE_EVENTS "gpubench.h"
#define GPU_PROBE_EVENTS_PATH .
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(gpubench);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("the lttng-gpu developers");
MODULE_DESCRIPTION("An LTTng event without fields, for measuring");
