// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of amdxdna, the driver of AMD's NPUs.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/amdxdna.h>.
 */
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/amdxdna.h>
#include "gpu_layout.h"

#include "gpu_probe_guard.h"

struct drm_sched_fence;
struct drm_sched_job;

#ifdef GPU_TRACEPOINT_xdna_job
/* Every event fires between drm_sched_job_arm(), which sets job->s_fence, and drm_sched_job_cleanup(). */
static inline const struct dma_fence *amdxdna_finished(struct drm_sched_job *job)
{
	return gpu_field_address(gpu_field(job, drm_sched_job, s_fence, struct drm_sched_fence *), drm_sched_fence,
				 finished, const struct dma_fence);
}

#if GPU_TRACEPOINT_xdna_job == 1
GPU_PROBE(amdxdna_job, (struct drm_sched_job *job, const char *name, const char *str, u64 seq, u32 op),
	  (job, name, str, seq, op))
#else
GPU_PROBE(amdxdna_job, (struct drm_sched_job *job, const char *name, const char *str, u64 seq), (job, name, str, seq))
#endif
#endif
#if defined(GPU_TRACEPOINT_mbox_set_tail) || defined(GPU_TRACEPOINT_mbox_set_head)
GPU_PROBE(amdxdna_mbox_message, (char *name, u8 channel, u32 opcode, u32 id), (name, channel, opcode, id))
#endif
#if defined(GPU_TRACEPOINT_mbox_irq_handle) || defined(GPU_TRACEPOINT_mbox_rx_worker)
GPU_PROBE(amdxdna_mbox_interrupt, (char *name, int irq), (name, irq))
#endif
#ifdef GPU_TRACEPOINT_amdxdna_debug_point
GPU_PROBE(amdxdna_debug_point, (const char *name, u64 number, const char *str), (name, number, str))
#endif

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events

#include <instrumentation/events/amdxdna.h>

GPU_PROBE_MODULE(amdxdna);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_amdxdna_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of amdxdna");
