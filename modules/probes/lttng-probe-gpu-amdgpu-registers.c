// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of amdgpu's register accesses. They come by the thousand, so lttng-probe-gpu does not load this module.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/amdgpu_device.h>.
 */
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/amdgpu_device.h>

#define GPU_PROBE_EVENTS <instrumentation/events/amdgpu_device.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(amdgpu_device);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_amdgpu_registers_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of amdgpu's register accesses");
