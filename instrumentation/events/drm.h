/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpu_scheduler events (drivers/gpu/drm/scheduler/gpu_scheduler_trace.h), under their kernel names. They begin
 * with drm_sched_ or drm_, and LTTng wants the provider's name in front of every event, so the provider is drm.
 *
 * Linux 6.17 made the events stable under new names; earlier kernels have other names and only pointers. Both
 * carry here what joins need: dev, and context and seqno of the job's finished fence. The run event adds the
 * driver, which no kernel event names.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM drm

#if !defined(LTTNG_GPU_TRACE_DRM_H) || defined(TRACE_HEADER_MULTI_READ)
#define LTTNG_GPU_TRACE_DRM_H

#include <lttng/tracepoint-event.h>
#include <instrumentation/gpu_payload.h>

/* An event of a job, whose fields are the list. */
#define LTTNG_GPU_JOB_EVENT(name, fields)                                                              \
	GPU_PAYLOAD_EVENT(name,                                                                        \
		TP_PROTO(struct drm_sched_job *sched_job, struct drm_sched_entity *entity),            \
		TP_ARGS(sched_job, entity),                                                            \
		struct gpu_sched_job_facts job;,                                                       \
		tp_locvar->job = gpu_sched_job_facts(sched_job, entity);,                              \
		fields)

#define LTTNG_GPU_JOB_STATE(integer, hexadecimal, string)                                              \
	integer(u32, job_count, tp_locvar->job.job_count)                                              \
	integer(int, hw_job_count, tp_locvar->job.hw_job_count)                                        \
	string(dev, tp_locvar->job.device)                                                             \
	integer(u64, fence_context, tp_locvar->job.finished->context)                                  \
	integer(u64, fence_seqno, tp_locvar->job.finished->seqno)

#define LTTNG_GPU_JOB_FIELDS(integer, hexadecimal, string)                                             \
	string(name, tp_locvar->job.ring)                                                              \
	LTTNG_GPU_JOB_STATE(integer, hexadecimal, string)                                              \
	integer(u64, client_id, gpu_sched_client_id(sched_job))

#define LTTNG_GPU_JOB_RUN_FIELDS(integer, hexadecimal, string)                                         \
	LTTNG_GPU_JOB_FIELDS(integer, hexadecimal, string)                                             \
	string(driver, tp_locvar->job.driver)

/* Of the first generation, which identified jobs by pointers and a number per scheduler. */
#define LTTNG_GPU_JOB_FIELDS_BEFORE_6_17(integer, hexadecimal, string)                                 \
	hexadecimal(u64, entity, gpu_identity(entity))                                                 \
	hexadecimal(u64, fence, gpu_identity(tp_locvar->job.finished))                                 \
	string(name, tp_locvar->job.ring)                                                              \
	integer(u64, id, gpu_sched_job_id(sched_job))                                                  \
	LTTNG_GPU_JOB_STATE(integer, hexadecimal, string)

#define LTTNG_GPU_JOB_RUN_FIELDS_BEFORE_6_17(integer, hexadecimal, string)                             \
	LTTNG_GPU_JOB_FIELDS_BEFORE_6_17(integer, hexadecimal, string)                                 \
	string(driver, tp_locvar->job.driver)

#if defined(GPU_TRACEPOINT_drm_sched_job_queue)
/* drm_sched_entity_push_job(), normally in the thread whose ioctl submits. */
#ifdef GPU_PAYLOAD_IS_WRITTEN
#define __event_get_size__drm_sched_job_queue GPU_PAYLOAD_SIZE
#endif
LTTNG_GPU_JOB_EVENT(drm_sched_job_queue, LTTNG_GPU_JOB_FIELDS)
#endif

#if defined(GPU_TRACEPOINT_drm_sched_job_run)
/* drm_sched_run_job_work(), in a worker, just before the driver's run_job(). */
#ifdef GPU_PAYLOAD_IS_WRITTEN
#define __event_get_size__drm_sched_job_run GPU_PAYLOAD_SIZE
#endif
LTTNG_GPU_JOB_EVENT(drm_sched_job_run, LTTNG_GPU_JOB_RUN_FIELDS)
#endif

#if defined(GPU_TRACEPOINT_drm_sched_job_done)
/* drm_sched_job_done(): the hardware fence has signalled; the finished fence follows. */
LTTNG_TRACEPOINT_EVENT(drm_sched_job_done,

	TP_PROTO(struct drm_sched_fence *fence),

	TP_ARGS(fence),

	TP_FIELDS(
		ctf_integer(u64, fence_context, gpu_sched_finished(fence)->context)
		ctf_integer(u64, fence_seqno, gpu_sched_finished(fence)->seqno)
	)
)
#endif

#if defined(GPU_TRACEPOINT_drm_sched_job_add_dep) || defined(GPU_TRACEPOINT_drm_sched_job_unschedulable)
LTTNG_TRACEPOINT_EVENT_CLASS(drm_sched_job_dependency,

	TP_PROTO(struct drm_sched_job *sched_job, struct dma_fence *fence),

	TP_ARGS(sched_job, fence),

	TP_FIELDS(
		ctf_integer(u64, fence_context, gpu_sched_job_finished(sched_job)->context)
		ctf_integer(u64, fence_seqno, gpu_sched_job_finished(sched_job)->seqno)
		ctf_integer(u64, ctx, fence->context)
		ctf_integer(u64, seqno, fence->seqno)
	)
)
#endif

#if defined(GPU_TRACEPOINT_drm_sched_job_add_dep)
/* drm_sched_entity_push_job(): once per dependency, directly after drm_sched_job_queue. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(drm_sched_job_dependency,

	drm_sched_job_add_dep,

	TP_PROTO(struct drm_sched_job *sched_job, struct dma_fence *fence),

	TP_ARGS(sched_job, fence)
)
#endif

#if defined(GPU_TRACEPOINT_drm_sched_job_unschedulable)
/* drm_sched_entity_add_dependency_cb(): the job is the next of its entity and this fence holds it up. */
LTTNG_TRACEPOINT_EVENT_INSTANCE(drm_sched_job_dependency,

	drm_sched_job_unschedulable,

	TP_PROTO(struct drm_sched_job *sched_job, struct dma_fence *fence),

	TP_ARGS(sched_job, fence)
)
#endif

#if defined(GPU_TRACEPOINT_drm_sched_job)
/* drm_sched_entity_push_job() up to 6.16. */
#ifdef GPU_PAYLOAD_IS_WRITTEN
#define __event_get_size__drm_sched_job GPU_PAYLOAD_SIZE
#endif
LTTNG_GPU_JOB_EVENT(drm_sched_job, LTTNG_GPU_JOB_FIELDS_BEFORE_6_17)
#endif

#if defined(GPU_TRACEPOINT_drm_run_job)
/* drm_sched_run_job_work() up to 6.16. */
#ifdef GPU_PAYLOAD_IS_WRITTEN
#define __event_get_size__drm_run_job GPU_PAYLOAD_SIZE
#endif
LTTNG_GPU_JOB_EVENT(drm_run_job, LTTNG_GPU_JOB_RUN_FIELDS_BEFORE_6_17)
#endif

#if defined(GPU_TRACEPOINT_drm_sched_process_job)
/* drm_sched_job_done() up to 6.16. */
LTTNG_TRACEPOINT_EVENT(drm_sched_process_job,

	TP_PROTO(struct drm_sched_fence *fence),

	TP_ARGS(fence),

	TP_FIELDS(
		ctf_integer_hex(u64, fence, gpu_identity(gpu_sched_finished(fence)))
		ctf_integer(u64, fence_context, gpu_sched_finished(fence)->context)
		ctf_integer(u64, fence_seqno, gpu_sched_finished(fence)->seqno)
	)
)
#endif

#if defined(GPU_TRACEPOINT_drm_sched_job_wait_dep)
/* drm_sched_entity_pop_job() up to 6.16: the job is the next of its entity and this fence holds it up. */
LTTNG_TRACEPOINT_EVENT(drm_sched_job_wait_dep,

	TP_PROTO(struct drm_sched_job *sched_job, struct dma_fence *fence),

	TP_ARGS(sched_job, fence),

	TP_FIELDS(
		ctf_string(name, gpu_sched_ring(sched_job))
		ctf_integer(u64, id, gpu_sched_job_id(sched_job))
		ctf_integer_hex(u64, fence, gpu_identity(fence))
		ctf_integer(u64, ctx, fence->context)
		ctf_integer(u64, seqno, fence->seqno)
		ctf_integer(u64, fence_context, gpu_sched_job_finished(sched_job)->context)
		ctf_integer(u64, fence_seqno, gpu_sched_job_finished(sched_job)->seqno)
	)
)
#endif

#endif /* LTTNG_GPU_TRACE_DRM_H */

/* This part must be outside protection */
#include <lttng/define_trace.h>
