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

struct drm_sched_fence;
struct drm_sched_job;

#ifdef GPU_TRACEPOINT_xdna_job
/* Every event fires between drm_sched_job_arm(), which sets job->s_fence, and drm_sched_job_cleanup(). */
static inline const struct dma_fence *amdxdna_finished(struct drm_sched_job *job)
{
	return gpu_field_address(gpu_field(job, drm_sched_job, s_fence, struct drm_sched_fence *), drm_sched_fence,
				 finished, const struct dma_fence);
}
#endif

#define GPU_PROBE_EVENTS <instrumentation/events/amdxdna.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(amdxdna);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_amdxdna_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of amdxdna");
