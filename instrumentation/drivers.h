/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The catalogue: every probe module, once. All other lists come from this one: what Kbuild builds and dkms installs
 * (scripts/build-modules reads these lines, so each entry is one line), what lttng-probe-gpu loads, what "lttng-gpu
 * record" enables, what doctor looks for, what is said when a trace has no jobs. tests/source/check_source.py compares it
 * with the files, and with the table in the documentation.
 *
 * A driver is its line here, a row of that table, and four files:
 *   instrumentation/events/PROVIDER.h            its events
 *   modules/layout/PROVIDER.layout               the prototypes and structures that they are read from
 *   modules/probes/lttng-probe-gpu-PROBE.c       how they are read
 *   tests/firing/PROVIDER.fire                   each event fired in the real driver, and compared with the kernel's own
 *
 * driver(PROBE, PROVIDER, MODULE, SYSTEM, EVENTS)
 *   PROBE     the module is lttng-probe-gpu-PROBE, with '-' for '_'
 *   PROVIDER  of its LTTng events: instrumentation/events/PROVIDER.h, modules/layout/PROVIDER.layout
 *   MODULE    of the kernel, that has the tracepoints, with '_' for '-'; "" when the kernel image has them
 *   SYSTEM    the kernel's name for these events (/sys/kernel/tracing/events/SYSTEM)
 *   EVENTS    LTTng's, of which jobs are made: patterns, with ',' between them; "" when there are none
 * registers(PROBE, PROVIDER)
 *   Every register access of a driver. These come by the thousand, so lttng-probe-gpu does not load the module. That is
 *   why they have a module of their own; LTTng takes a provider from one module only, so they have a provider, and with
 *   it an event header and a layout, too.
 */
#ifndef LTTNG_GPU_DRIVERS_H
#define LTTNG_GPU_DRIVERS_H

/* clang-format off */
#define GPU_DRIVERS(driver, registers) \
	driver(drm_sched, drm, "gpu_sched", "gpu_scheduler", "drm_sched_*,drm_run_job*") \
	driver(virtio_gpu, virtio_gpu, "virtio_gpu", "virtio_gpu", "virtio_gpu_*") \
	driver(fence, gpu_fence, "", "dma_fence", "gpu_fence_*") \
	driver(amdgpu, amdgpu, "amdgpu", "amdgpu", "amdgpu_cs*,amdgpu_sched_run_job*,amdgpu_ib_*") \
	driver(i915, i915, "i915", "i915", "i915_request_*") \
	driver(xe, xe, "xe", "xe", "xe_sched_job_*,xe_hw_fence_*") \
	driver(radeon, radeon, "radeon", "radeon", "radeon_cs*,radeon_fence_*") \
	driver(intel_vpu, vpu, "intel_vpu", "vpu", "vpu_job*") \
	driver(amdxdna, amdxdna, "amdxdna", "amdxdna", "amdxdna_job*") \
	registers(amdgpu_registers, amdgpu_device) \
	registers(i915_registers, i915_reg) \
	registers(xe_registers, xe_reg)
/* clang-format on */

#endif
