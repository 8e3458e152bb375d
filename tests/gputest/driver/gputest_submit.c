// SPDX-License-Identifier: GPL-2.0-only
/*
 * A job's way: from the submit ioctl into drm_sched, out of it into an engine,
 * and to its end. Writes the queued, submitted and completed-hi readings of
 * the truth log; the rest is written by the engine. Memory that the engine and
 * the ioctl still need after a job may be freed lives in the fence and in the
 * record, never in the job.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <drm/drm_drv.h>
#include <drm/drm_syncobj.h>

#include "gputest.h"
#include "gputest_compat.h"
#include "gputest_uapi.h"

static struct gputest_job *to_gputest_job(struct drm_sched_job *base)
{
	return container_of(base, struct gputest_job, base);
}

/*
 * Called by drm_sched_entity_pop_job() when no dependency is left. Nothing but
 * the scheduler's bookkeeping lies between this and its run event.
 */
static struct dma_fence *gputest_prepare_job(struct drm_sched_job *base,
					     struct drm_sched_entity *entity)
{
	struct gputest_job *job = to_gputest_job(base);
	u64 now = gputest_now();

	job->fence->submitted_lo = now;
	gputest_stamp(job->record, submitted.lo, now);
	return NULL;
}

static struct dma_fence *gputest_run_job(struct drm_sched_job *base)
{
	struct gputest_job *job = to_gputest_job(base);

	gputest_stamp(job->record, submitted.hi, gputest_now());
	job->has_run = true;
	return gputest_engine_execute(job->fence, job->hw_context,
				      base->s_fence->finished.seqno);
}

/*
 * Never called, the timeout being MAX_SCHEDULE_TIMEOUT; and were it called, the
 * job would be slow rather than hung, since its timer is certain to expire.
 */
static enum drm_gpu_sched_stat gputest_timedout_job(struct drm_sched_job *base)
{
	return gputest_sched_job_goes_on(base);
}

/*
 * The finished fence is signalled, right after the done event and before any
 * waiter is told: ours is its first callback. A killed job did not complete.
 */
static void gputest_job_finished(struct dma_fence *fence,
				 struct dma_fence_cb *cb)
{
	struct gputest_job *job =
		container_of(cb, struct gputest_job, finished_cb);

	if (job->has_run)
		gputest_stamp(job->record, completed.hi, gputest_now());
}

static void gputest_job_free_rcu(struct rcu_head *rcu)
{
	struct gputest_job *job = container_of(rcu, struct gputest_job, rcu);
	struct gputest_device *gdev = job->gdev;

	kfree(job);
	gputest_log_job_end();
	if (atomic_dec_and_test(&gdev->jobs))
		wake_up_all(&gputest_idle);
}

/*
 * drm_sched may call this as soon as the finished fence has its signalled bit,
 * while dma_fence_signal() still walks the callbacks, of which one is in the
 * job. dma_fence_remove_callback() takes the fence's lock and so waits for it.
 *
 * The count of jobs falls in the RCU callback and call_rcu() is a tail call:
 * drm_sched_entity_kill_jobs_work() comes here from a system workqueue that
 * nobody flushes before the module goes.
 */
static void gputest_free_job(struct drm_sched_job *base)
{
	struct gputest_job *job = to_gputest_job(base);
	struct drm_sched_fence *s_fence = base->s_fence;

	dma_fence_remove_callback(&s_fence->finished, &job->finished_cb);

	/*
	 * A killed job has no parent fence. Give it one, so that every fence of
	 * the scheduler holds the engine, whose name it may be asked for.
	 */
	if (!job->has_run) {
		struct dma_fence *parent =
			gputest_fence_never_executed(job->fence);

		/* Pairs with drm_sched_fence_set_deadline_finished(). */
		smp_store_release(&s_fence->parent, parent);
	}

	drm_sched_job_cleanup(base);
	call_rcu(&job->rcu, gputest_job_free_rcu);
}

const struct drm_sched_backend_ops gputest_sched_ops = {
	GPUTEST_SCHED_PREPARE_JOB(gputest_prepare_job),
	.run_job = gputest_run_job,
	.timedout_job = gputest_timedout_job,
	.free_job = gputest_free_job,
};

static int gputest_check_submit(const struct drm_gputest_submit *args)
{
	if (args->ring >= GPUTEST_NUM_RINGS ||
	    args->flags & ~GPUTEST_SUBMIT_FLAGS ||
	    args->exec_ns > GPUTEST_MAX_EXEC_NS ||
	    args->num_in_syncobjs > GPUTEST_MAX_IN_SYNCOBJS ||
	    args->fence_context || args->fence_seqno)
		return -EINVAL;
	return 0;
}

static int gputest_add_dependencies(struct drm_sched_job *job,
				    struct drm_file *file,
				    const struct drm_gputest_submit *args)
{
	u32 handles[GPUTEST_MAX_IN_SYNCOBJS];
	unsigned int i;
	int ret;

	if (copy_from_user(handles, u64_to_user_ptr(args->in_syncobjs),
			   args->num_in_syncobjs * sizeof(handles[0])))
		return -EFAULT;

	for (i = 0; i < args->num_in_syncobjs; i++) {
		ret = gputest_sched_job_add_syncobj_dependency(job, file,
							       handles[i]);
		if (ret)
			return ret;
	}
	return 0;
}

/* What is left after fences of one context were merged, as in the trace. */
static u32 gputest_count_dependencies(struct drm_sched_job *job)
{
	struct dma_fence *fence;
	unsigned long index;
	u32 count = 0;

	xa_for_each(&job->dependencies, index, fence)
		count++;
	return count;
}

static struct gputest_job *gputest_job_create(struct gputest_device *gdev,
					      struct drm_file *file,
					      const struct drm_gputest_submit *args)
{
	struct gputest_file *gfile = file->driver_priv;
	struct gputest_entity *entity = &gfile->entities[args->ring];
	struct gputest_job *job;
	int ret = -ENOMEM;

	job = kzalloc(sizeof(*job), GFP_KERNEL);
	if (!job)
		return ERR_PTR(ret);

	job->fence = gputest_fence_alloc(gdev->engines[args->ring]);
	if (!job->fence)
		goto free_job;
	job->fence->exec_ns = args->exec_ns;
	job->fence->error = args->flags & GPUTEST_SUBMIT_FAIL ? -EIO : 0;
	job->gdev = gdev;
	job->hw_context = entity->hw_context;

	ret = gputest_sched_job_init(&job->base, &entity->base, gfile,
				     file);
	if (ret)
		goto discard_fence;

	ret = gputest_add_dependencies(&job->base, file, args);
	if (ret)
		goto cleanup_job;
	return job;

cleanup_job:
	drm_sched_job_cleanup(&job->base);
discard_fence:
	gputest_fence_discard(job->fence);
free_job:
	kfree(job);
	return ERR_PTR(ret);
}

static struct gputest_record *
gputest_job_record(const struct gputest_job *job, const struct dma_fence *finished,
		   const struct drm_gputest_submit *args, u32 dependencies)
{
	struct gputest_record *record = gputest_log_take();

	if (!record)
		return NULL;

	record->device = job->gdev->index;
	record->ring = args->ring;
	record->context = finished->context;
	record->seqno = finished->seqno;
	record->pid = task_tgid_nr(current);
	record->tid = task_pid_nr(current);
	get_task_comm(record->comm, current);
	record->exec_ns = args->exec_ns;
	record->dependencies = dependencies;
	gputest_log_publish(record);
	return record;
}

/*
 * From the seqno to the entity's queue; under the entity's lock, as the order
 * of seqnos must be that of drm_sched_entity_push_job(). The job may be freed
 * at any time after it is pushed.
 *
 * Return: the finished fence, with a reference.
 */
static struct dma_fence *gputest_job_push(struct gputest_job *job,
					  const struct drm_gputest_submit *args)
{
	u32 dependencies = gputest_count_dependencies(&job->base);
	struct gputest_record *record;
	struct dma_fence *finished;

	gputest_log_job_begin();
	atomic_inc(&job->gdev->jobs);
	drm_sched_job_arm(&job->base);
	finished = dma_fence_get(&job->base.s_fence->finished);

	/*
	 * A parallel engine does not keep the order of run_job(), so a job that
	 * depends on another one of its ring has to wait until that is finished.
	 */
	if (gputest_rings[args->ring].slots > 1)
		set_bit(DRM_SCHED_FENCE_DONT_PIPELINE, &finished->flags);

	/* Cannot fail: nobody else can signal the fence yet. */
	dma_fence_add_callback(finished, &job->finished_cb,
			       gputest_job_finished);

	record = gputest_job_record(job, finished, args, dependencies);
	job->record = record;
	job->fence->record = record;

	gputest_stamp(record, queued.lo, gputest_now());
	drm_sched_entity_push_job(&job->base);
	gputest_stamp(record, queued.hi, gputest_now());

	return finished;
}

static int gputest_submit(struct gputest_device *gdev, struct drm_file *file,
			  struct drm_gputest_submit *args)
{
	struct gputest_file *gfile = file->driver_priv;
	struct gputest_entity *entity = &gfile->entities[args->ring];
	struct drm_syncobj *out = NULL;
	struct dma_fence *finished;
	struct gputest_job *job;

	if (args->out_syncobj) {
		out = drm_syncobj_find(file, args->out_syncobj);
		if (!out)
			return -ENOENT;
	}

	job = gputest_job_create(gdev, file, args);
	if (IS_ERR(job)) {
		if (out)
			drm_syncobj_put(out);
		return PTR_ERR(job);
	}

	gputest_log_begin_submit();
	mutex_lock(&entity->lock);
	finished = gputest_job_push(job, args);
	mutex_unlock(&entity->lock);
	gputest_log_end_submit();

	if (out) {
		drm_syncobj_replace_fence(out, finished);
		drm_syncobj_put(out);
	}
	args->fence_context = finished->context;
	args->fence_seqno = finished->seqno;
	dma_fence_put(finished);
	return 0;
}

int gputest_submit_ioctl(struct drm_device *drm, void *data,
			 struct drm_file *file)
{
	struct drm_gputest_submit *args = data;
	int ret, idx;

	ret = gputest_check_submit(args);
	if (ret)
		return ret;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	ret = gputest_submit(to_gputest_device(drm), file, args);
	drm_dev_exit(idx);
	return ret;
}
