/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only place of the gputest driver that knows that kernels differ. The
 * HAVE_* facts come from Kbuild, which looks into the kernel's headers; the
 * rest of the driver calls the wrappers below and is written for the newest
 * of the interfaces. Versions named here are of mainline: stable series take
 * such changes back, which is why nothing tests for a version.
 */
#ifndef GPUTEST_COMPAT_H
#define GPUTEST_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/platform_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_syncobj.h>
#include <drm/gpu_scheduler.h>

/*
 * Before "drm/sched: Use struct for drm_sched_init() params" (6.15) the
 * arguments of drm_sched_init() were positional; before "drm/sched: Convert
 * the GPU scheduler to variable number of run-queues" (6.7) it knew the number
 * of run queues.
 */
static inline int gputest_sched_init(struct drm_gpu_scheduler *sched,
				     const struct drm_sched_backend_ops *ops,
				     u32 credit_limit, const char *name,
				     struct device *dev)
{
#ifdef HAVE_SCHED_INIT_ARGS
	const struct drm_sched_init_args args = {
		.ops = ops,
#ifdef HAVE_SCHED_NUM_RQS
		.num_rqs = DRM_SCHED_PRIORITY_COUNT,
#endif
		.credit_limit = credit_limit,
		.timeout = MAX_SCHEDULE_TIMEOUT,
		.name = name,
		.dev = dev,
	};

	return drm_sched_init(sched, &args);
#else
	return drm_sched_init(sched, ops, NULL, DRM_SCHED_PRIORITY_COUNT,
			      credit_limit, 0, MAX_SCHEDULE_TIMEOUT, NULL, NULL,
			      name, dev);
#endif
}

/*
 * "drm/sched: implement dynamic job-flow control" (6.8) added the credits,
 * "drm/sched: Store the drm client_id in drm_sched_fence" (6.17) the client
 * for the trace events.
 */
static inline int gputest_sched_job_init(struct drm_sched_job *job,
					 struct drm_sched_entity *entity,
					 void *owner,
					 const struct drm_file *file)
{
#if !defined(HAVE_SCHED_CREDITS)
	return drm_sched_job_init(job, entity, owner);
#elif defined(HAVE_SCHED_JOB_CLIENT_ID)
	return drm_sched_job_init(job, entity, 1, owner, file->client_id);
#else
	return drm_sched_job_init(job, entity, 1, owner);
#endif
}

/*
 * For the timedout_job callback: the job is well, let it go on. Before
 * "drm/sched: Allow drivers to skip the reset and keep on running" (6.17) the
 * scheduler has taken the job off its pending list and only drm_sched_stop()
 * puts it back; drm_sched_start() has an errno since 6.13.
 */
static inline enum drm_gpu_sched_stat
gputest_sched_job_goes_on(struct drm_sched_job *job)
{
#ifdef HAVE_SCHED_STAT_NO_HANG
	return DRM_GPU_SCHED_STAT_NO_HANG;
#else
	struct drm_gpu_scheduler *sched = job->sched;

	drm_sched_stop(sched, job);
#if defined(HAVE_SCHED_START_FULL_RECOVERY)
	drm_sched_start(sched, true);
#elif defined(HAVE_SCHED_START_ERRNO)
	drm_sched_start(sched, 0);
#else
	drm_sched_start(sched);
#endif
	return DRM_GPU_SCHED_STAT_NOMINAL;
#endif
}

/* "drm/sched: Create helper to add job dependencies from syncobjs" (6.4). */
static inline int
gputest_sched_job_add_syncobj_dependency(struct drm_sched_job *job,
					 struct drm_file *file, u32 handle)
{
#ifdef HAVE_SCHED_SYNCOBJ_DEPENDENCY
	return drm_sched_job_add_syncobj_dependency(job, file, handle, 0);
#else
	struct dma_fence *fence;
	int ret = drm_syncobj_find_fence(file, handle, 0, 0, &fence);

	return ret ?: drm_sched_job_add_dependency(job, fence);
#endif
}

/* Renamed by "drm/scheduler: rename dependency callback into prepare_job" (6.2). */
#ifdef HAVE_SCHED_PREPARE_JOB
#define GPUTEST_SCHED_PREPARE_JOB(callback)	.prepare_job = callback
#else
#define GPUTEST_SCHED_PREPARE_JOB(callback)	.dependency = callback
#endif

/* hrtimer_setup() came with 6.13; hrtimer_init() was made private in 6.15. */
static inline void
gputest_hrtimer_setup(struct hrtimer *timer,
		      enum hrtimer_restart (*function)(struct hrtimer *))
{
#ifdef HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	timer->function = function;
#endif
}

/* "drm: remove driver date from struct drm_driver" (6.14). */
#ifdef HAVE_DRM_DRIVER_DATE
#define GPUTEST_DRM_DRIVER_DATE		.date = "20250101",
#else
#define GPUTEST_DRM_DRIVER_DATE
#endif

/* "fs: move FMODE_UNSIGNED_OFFSET to fop_flags" (6.12); before, drm_open() set it itself. */
#ifdef HAVE_FOP_UNSIGNED_OFFSET
#define GPUTEST_FOP_FLAGS		.fop_flags = FOP_UNSIGNED_OFFSET,
#else
#define GPUTEST_FOP_FLAGS
#endif

/* remove() returned an int up to 6.10; from 6.3 to 6.13 remove_new() did not. */
#if defined(HAVE_PLATFORM_REMOVE_NEW)
#define GPUTEST_PLATFORM_REMOVE(function)	.remove_new = function
#define GPUTEST_PLATFORM_REMOVE_WRAPPER(function)
#elif defined(HAVE_PLATFORM_REMOVE_INT)
#define GPUTEST_PLATFORM_REMOVE(function)	.remove = function##_int
#define GPUTEST_PLATFORM_REMOVE_WRAPPER(function)				\
	static int function##_int(struct platform_device *pdev)			\
	{									\
		function(pdev);							\
		return 0;							\
	}
#else
#define GPUTEST_PLATFORM_REMOVE(function)	.remove = function
#define GPUTEST_PLATFORM_REMOVE_WRAPPER(function)
#endif

#endif
