// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of the DRM GPU scheduler (gpu_scheduler).
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/drm.h>.
 */
#include <linux/atomic.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/drm.h>

#include "gpu_layout.h"

/*
 * What the gpu_scheduler events say of a job. All of them fire after drm_sched_job_arm(), which sets job->sched
 * and job->s_fence, and before free_job(); the scheduler outlives its jobs. The rules are those of the kernel's own
 * events (gpu_scheduler_trace.h, "DOC: uAPI trace events"): entity->rq is not followed, it may change under us.
 */

struct drm_gpu_scheduler;
struct drm_sched_entity;
struct drm_sched_fence;
struct drm_sched_job;

struct gpu_sched_job_facts {
	const char *ring;
	const char *device;
	const char *driver;
	const struct dma_fence *finished;
	u32 job_count;
	int hw_job_count;
};

static inline const struct dma_fence *gpu_sched_finished(struct drm_sched_fence *fence)
{
	return gpu_field_address(fence, drm_sched_fence, finished, const struct dma_fence);
}

static inline const struct dma_fence *gpu_sched_job_finished(struct drm_sched_job *job)
{
	return gpu_sched_finished(gpu_field(job, drm_sched_job, s_fence, struct drm_sched_fence *));
}

static inline const char *gpu_sched_ring(struct drm_sched_job *job)
{
	struct drm_gpu_scheduler *sched = gpu_field(job, drm_sched_job, sched, struct drm_gpu_scheduler *);

	return gpu_field(sched, drm_gpu_scheduler, name, const char *);
}

static inline struct gpu_sched_job_facts gpu_sched_job_facts(struct drm_sched_job *job,
							     struct drm_sched_entity *entity)
{
	struct drm_gpu_scheduler *sched = gpu_field(job, drm_sched_job, sched, struct drm_gpu_scheduler *);
	struct device *device = gpu_field(sched, drm_gpu_scheduler, dev, struct device *);
	/* Unbinding clears dev->driver; the structure itself lives as long as the driver's module. */
	struct device_driver *driver = device ? READ_ONCE(device->driver) : NULL;

	return (struct gpu_sched_job_facts){
		.ring = gpu_field(sched, drm_gpu_scheduler, name, const char *),
		.device = device ? dev_name(device) : "",
		.driver = driver ? driver->name : "",
		.finished = gpu_sched_job_finished(job),
		.job_count = atomic_read(
			gpu_field_address(entity, drm_sched_entity, job_queue_job_count, const atomic_t)),
		.hw_job_count =
			atomic_read(gpu_field_address(sched, drm_gpu_scheduler, hw_job_count, const atomic_t)),
	};
}

/* Of the drm_file that owns the job; 0 where the kernel does not keep it. */
static inline u64 gpu_sched_client_id(struct drm_sched_job *job)
{
#ifdef GPU_OFFSET_drm_sched_fence_drm_client_id
	return gpu_field(gpu_field(job, drm_sched_job, s_fence, struct drm_sched_fence *), drm_sched_fence,
			 drm_client_id, u64);
#else
	return 0;
#endif
}

#ifdef GPU_OFFSET_drm_sched_job_id
static inline u64 gpu_sched_job_id(struct drm_sched_job *job)
{
	return gpu_field(job, drm_sched_job, id, u64);
}
#endif

#define GPU_PROBE_EVENTS <instrumentation/events/drm.h>
#include "gpu_probe_events.h"

GPU_PROBE_MODULE(drm);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_drm_sched_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of the DRM GPU scheduler (gpu_scheduler)");
