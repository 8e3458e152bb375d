// SPDX-License-Identifier: GPL-2.0-only
/*
 * The model of the hardware: an engine executes accepted jobs in its slots, an
 * hrtimer per slot being the execution. One slot makes a FIFO engine, several
 * a parallel one, where jobs of one entity stay in order and those of different
 * entities overlap. Nothing is allocated once a job runs, and fences are
 * signalled without the engine's lock: dma_fence_signal() calls back into the
 * scheduler and into whoever else waits.
 */
#include <linux/minmax.h>
#include <linux/slab.h>

#include "gputest.h"
#include "gputest_compat.h"

const struct gputest_ring gputest_rings[GPUTEST_NUM_RINGS] = {
	{ .name = "gfx_0.0.0",		.slots = 1 },
	{ .name = "compute_0.0.0",	.slots = 1 },
	{ .name = "copy_0.0.0",		.slots = 1 },
	{ .name = "async_0.0.0",	.slots = GPUTEST_MAX_SLOTS },
};

static atomic_t gputest_live_engines = ATOMIC_INIT(0);

static struct gputest_fence *to_gputest_fence(struct dma_fence *fence)
{
	return container_of(fence, struct gputest_fence, base);
}

static void gputest_engine_free(struct kref *ref)
{
	kfree(container_of(ref, struct gputest_engine, ref));
	if (atomic_dec_and_test(&gputest_live_engines))
		wake_up_all(&gputest_idle);
}

static void gputest_fence_free(struct gputest_fence *fence)
{
	struct gputest_engine *engine = fence->engine;

	kfree(fence);
	kref_put(&engine->ref, gputest_engine_free);
}

static void gputest_fence_free_rcu(struct rcu_head *rcu)
{
	struct dma_fence *base = container_of(rcu, struct dma_fence, rcu);

	gputest_fence_free(to_gputest_fence(base));
}

static const char *gputest_fence_get_driver_name(struct dma_fence *fence)
{
	return "gputest";
}

static const char *gputest_fence_get_timeline_name(struct dma_fence *fence)
{
	return to_gputest_fence(fence)->engine->ring->name;
}

/*
 * Gives the fence's memory, and with it the engine, to RCU. That this is the
 * last call matters: as a tail call it leaves nothing of the module to execute
 * after the count that gputest_engines_wait_gone() looks at can fall to zero.
 */
static void gputest_fence_release(struct dma_fence *fence)
{
	call_rcu(&fence->rcu, gputest_fence_free_rcu);
}

static const struct dma_fence_ops gputest_fence_ops = {
	.get_driver_name = gputest_fence_get_driver_name,
	.get_timeline_name = gputest_fence_get_timeline_name,
	.release = gputest_fence_release,
};

/* A fence that is not initialised before its job runs, see dma_fence_init(). */
struct gputest_fence *gputest_fence_alloc(struct gputest_engine *engine)
{
	struct gputest_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL);

	if (!fence)
		return NULL;

	kref_get(&engine->ref);
	fence->engine = engine;
	spin_lock_init(&fence->lock);
	INIT_LIST_HEAD(&fence->link);
	return fence;
}

/* The job was given up before drm_sched_job_arm(). */
void gputest_fence_discard(struct gputest_fence *fence)
{
	gputest_fence_free(fence);
}

static ktime_t gputest_engine_duration(const struct gputest_engine *engine,
				       const struct gputest_fence *fence)
{
	return ns_to_ktime(engine->cancelled ? 0 : fence->exec_ns);
}

/*
 * The job in @fence has just begun; it could not before @earliest nor before
 * the scheduler decided to run it. Under the engine's lock, which the timer
 * takes first too, so that no job completes before this is written.
 */
static void gputest_stamp_started(struct gputest_fence *fence, u64 earliest)
{
	gputest_stamp(fence->record, started.lo,
		      max(earliest, fence->submitted_lo));
	gputest_stamp(fence->record, started.hi, gputest_now());
}

/* Fences of one context must be signalled in order, so one executes at most. */
static bool gputest_context_executes(const struct gputest_engine *engine,
				     u64 context)
{
	unsigned int i;

	for (i = 0; i < engine->ring->slots; i++) {
		const struct gputest_fence *fence = engine->slots[i].fence;

		if (fence && fence->base.context == context)
			return true;
	}
	return false;
}

/* The first waiting job that may execute now; a slot is known to be free. */
static struct gputest_fence *
gputest_engine_take_waiting(struct gputest_engine *engine)
{
	struct gputest_fence *fence;

	list_for_each_entry(fence, &engine->waiting, link) {
		if (gputest_context_executes(engine, fence->base.context))
			continue;
		list_del_init(&fence->link);
		return fence;
	}
	return NULL;
}

static struct gputest_slot *
gputest_engine_free_slot(struct gputest_engine *engine, u64 context)
{
	unsigned int i;

	if (gputest_context_executes(engine, context))
		return NULL;

	for (i = 0; i < engine->ring->slots; i++)
		if (!engine->slots[i].fence)
			return &engine->slots[i];
	return NULL;
}

/*
 * The end of an execution. The slot stays taken until the fence is signalled:
 * were it free earlier, run_job() on another CPU could start the next job
 * before the trace event of drm_sched_job_done() for this one, and the FIFO
 * rule started = max(run, previous done) would be wrong by that much.
 */
static enum hrtimer_restart gputest_slot_expired(struct hrtimer *timer)
{
	struct gputest_slot *slot =
		container_of(timer, struct gputest_slot, timer);
	struct gputest_engine *engine = slot->engine;
	struct gputest_fence *done, *next;
	unsigned long flags;
	u64 before;

	spin_lock_irqsave(&engine->lock, flags);
	done = slot->fence;
	if (engine->cancelled && !done->error)
		done->error = -ECANCELED;
	spin_unlock_irqrestore(&engine->lock, flags);

	before = gputest_now();
	gputest_stamp(done->record, completed.lo, before);
	if (done->error)
		dma_fence_set_error(&done->base, done->error);
	dma_fence_signal(&done->base);

	spin_lock_irqsave(&engine->lock, flags);
	slot->fence = NULL;
	next = gputest_engine_take_waiting(engine);
	if (next) {
		slot->fence = next;
		hrtimer_set_expires(timer,
				    ktime_add(ktime_get(),
					      gputest_engine_duration(engine, next)));
		gputest_stamp_started(next, before);
	}
	spin_unlock_irqrestore(&engine->lock, flags);

	dma_fence_put(&done->base);
	return next ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

/**
 * gputest_engine_execute - accept a job, from run_job()
 * @fence: the job's fence, not yet initialised
 * @context: fence context of the job's entity
 * @seqno: number of the job in that context
 *
 * drm_sched calls run_job() of one scheduler from one worker only, and emits
 * "done" for a fence that it found already signalled from that same worker.
 * So when the engine is idle here, the done event of every earlier job is past.
 *
 * Return: the fence with a reference for the scheduler; the other is ours.
 */
struct dma_fence *gputest_engine_execute(struct gputest_fence *fence,
					 u64 context, u64 seqno)
{
	struct gputest_engine *engine = fence->engine;
	struct gputest_slot *slot;
	unsigned long flags;

	spin_lock_irqsave(&engine->lock, flags);
	if (engine->ring->slots == 1) {
		context = engine->context;
		seqno = ++engine->seqno;
	}
	dma_fence_init(&fence->base, &gputest_fence_ops, &fence->lock, context,
		       seqno);
	dma_fence_get(&fence->base);

	slot = gputest_engine_free_slot(engine, context);
	if (slot) {
		slot->fence = fence;
		hrtimer_start(&slot->timer,
			      gputest_engine_duration(engine, fence),
			      HRTIMER_MODE_REL);
		gputest_stamp_started(fence, 0);
	} else {
		list_add_tail(&fence->link, &engine->waiting);
	}
	spin_unlock_irqrestore(&engine->lock, flags);

	return &fence->base;
}

/* The signalled fence of a job that was killed before it could run. */
struct dma_fence *gputest_fence_never_executed(struct gputest_fence *fence)
{
	dma_fence_init(&fence->base, &gputest_fence_ops, &fence->lock,
		       dma_fence_context_alloc(1), 1);
	dma_fence_set_error(&fence->base, -ECANCELED);
	dma_fence_signal(&fence->base);
	return &fence->base;
}

struct gputest_engine *
gputest_engine_create(const struct gputest_ring *ring,
		      const struct drm_sched_backend_ops *ops,
		      struct device *dev, u32 credit_limit)
{
	struct gputest_engine *engine = kzalloc(sizeof(*engine), GFP_KERNEL);
	unsigned int i;
	int ret;

	if (!engine)
		return ERR_PTR(-ENOMEM);

	engine->ring = ring;
	kref_init(&engine->ref);
	spin_lock_init(&engine->lock);
	INIT_LIST_HEAD(&engine->waiting);
	engine->context = dma_fence_context_alloc(1);
	for (i = 0; i < ring->slots; i++) {
		engine->slots[i].engine = engine;
		gputest_hrtimer_setup(&engine->slots[i].timer,
				      gputest_slot_expired);
	}

	ret = gputest_sched_init(&engine->sched, ops, credit_limit, ring->name,
				 dev);
	if (ret) {
		kfree(engine);
		return ERR_PTR(ret);
	}

	atomic_inc(&gputest_live_engines);
	return engine;
}

/**
 * gputest_engine_cancel - the hardware is going away
 * @engine: the engine
 *
 * What executes ends now and what comes takes no time, all with -ECANCELED. A
 * job whose timer callback has just been asked to restart keeps its time.
 */
void gputest_engine_cancel(struct gputest_engine *engine)
{
	unsigned long flags;
	unsigned int i;

	spin_lock_irqsave(&engine->lock, flags);
	engine->cancelled = true;
	for (i = 0; i < engine->ring->slots; i++) {
		struct hrtimer *timer = &engine->slots[i].timer;

		if (hrtimer_try_to_cancel(timer) == 1)
			hrtimer_start(timer, 0, HRTIMER_MODE_REL);
	}
	spin_unlock_irqrestore(&engine->lock, flags);
}

/* All jobs and entities of the engine's scheduler must be gone. */
void gputest_engine_destroy(struct gputest_engine *engine)
{
	unsigned int i;

	drm_sched_fini(&engine->sched);
	for (i = 0; i < engine->ring->slots; i++)
		hrtimer_cancel(&engine->slots[i].timer);
	kref_put(&engine->ref, gputest_engine_free);
}

/*
 * For the module's exit: the memory and code behind our fences must stay until
 * the last holder of a scheduler fence let go of it, such as a syncobj passed
 * to a process that has no file of ours open.
 */
void gputest_engines_wait_gone(void)
{
	while (!wait_event_timeout(gputest_idle,
				   !atomic_read(&gputest_live_engines), 10 * HZ))
		pr_notice("gputest: waiting for fences that others still hold\n");

	rcu_barrier();
}
