// SPDX-License-Identifier: GPL-2.0-only
/*
 * LTTng probes of the DRM GPU scheduler (gpu_scheduler).
 *
 * The kernel's own headers of these tracepoints are not installed, so the compiler cannot check the prototypes;
 * btf-layout has done so against the BTF of this kernel build and wrote <layout/drm.h>.
 */
#include <linux/module.h>
#include <lttng/tracer.h>

#include <layout/drm.h>
#include "gpu_sched_job.h"

#include "gpu_probe_guard.h"

#ifdef GPU_TRACEPOINT_drm_sched_job_queue
GPU_PROBE(drm_sched_job_queue, (struct drm_sched_job *job, struct drm_sched_entity *entity), (job, entity))
#endif
#ifdef GPU_TRACEPOINT_drm_sched_job_run
GPU_PROBE(drm_sched_job_run, (struct drm_sched_job *job, struct drm_sched_entity *entity), (job, entity))
#endif
#ifdef GPU_TRACEPOINT_drm_sched_job_done
GPU_PROBE(drm_sched_job_done, (struct drm_sched_fence *fence), (fence))
#endif
#if defined(GPU_TRACEPOINT_drm_sched_job_add_dep) || defined(GPU_TRACEPOINT_drm_sched_job_unschedulable)
GPU_PROBE(drm_sched_job_dependency, (struct drm_sched_job *job, struct dma_fence *fence), (job, fence))
#endif
#ifdef GPU_TRACEPOINT_drm_sched_job
GPU_PROBE(drm_sched_job, (struct drm_sched_job *job, struct drm_sched_entity *entity), (job, entity))
#endif
#ifdef GPU_TRACEPOINT_drm_run_job
GPU_PROBE(drm_run_job, (struct drm_sched_job *job, struct drm_sched_entity *entity), (job, entity))
#endif
#ifdef GPU_TRACEPOINT_drm_sched_process_job
GPU_PROBE(drm_sched_process_job, (struct drm_sched_fence *fence), (fence))
#endif
#ifdef GPU_TRACEPOINT_drm_sched_job_wait_dep
GPU_PROBE(drm_sched_job_wait_dep, (struct drm_sched_job *job, struct dma_fence *fence), (job, fence))
#endif

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH instrumentation/events

#include <instrumentation/events/drm.h>

GPU_PROBE_MODULE(drm);

#define GPU_PROBE_SYMBOL lttng_probe_gpu_drm_sched_events
#include "gpu_module_info.h"
MODULE_DESCRIPTION("LTTng probes of the DRM GPU scheduler (gpu_scheduler)");
