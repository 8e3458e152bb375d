// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of intel_vpu, the driver of Intel's NPUs.
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/vpu.h>.
 */
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/vpu.h>
#include "gpu_layout.h"

struct ivpu_device;
struct ivpu_file_priv;
struct ivpu_job;
struct vpu_jsm_msg;

#ifdef GPU_TRACEPOINT_job
/* Both events fire while the job is in the device's list or has just left it: it holds its fence and its file. */
static inline const struct dma_fence *ivpu_done_fence(struct ivpu_job *job)
{
	return gpu_field(job, ivpu_job, done_fence, struct dma_fence *);
}

static inline u32 ivpu_context_id(struct ivpu_job *job)
{
	return gpu_field(gpu_field(job, ivpu_job, file_priv, struct ivpu_file_priv *), ivpu_file_priv, ctx_id, u32);
}

static inline const char *ivpu_device_name(struct ivpu_job *job)
{
	return dev_name(gpu_field(gpu_field(job, ivpu_job, vdev, struct ivpu_device *), ivpu_device, drm_dev,
				  struct device *));
}
#endif

#define GPU_PROBE_EVENTS <instrumentation/events/vpu.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(vpu);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_intel_vpu_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of intel_vpu");
