// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of virtio_gpu.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/virtio_gpu.h>.
 */
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/virtio_gpu.h>
#include <linux/virtio.h>
#include <linux/virtio_gpu.h>

#define GPU_PROBE_EVENTS <instrumentation/events/virtio_gpu.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(virtio_gpu);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_virtio_gpu_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of virtio_gpu");
