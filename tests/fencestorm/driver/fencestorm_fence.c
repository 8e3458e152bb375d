// SPDX-License-Identifier: GPL-2.0-only
/* The fences of fencestorm, and what is counted of them. */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/slab.h>
#include <trace/events/dma_fence.h>

#include "fencestorm.h"

struct fencestorm_counts fencestorm_counts;
static atomic_t fences_in_irq;

static struct fencestorm_fence *to_storm(struct dma_fence *fence)
{
	return container_of(fence, struct fencestorm_fence, base);
}

struct fencestorm_timeline *fencestorm_timeline_new(void)
{
	struct fencestorm_timeline *timeline = kzalloc(sizeof(*timeline), GFP_KERNEL);

	if (!timeline)
		return NULL;
	kref_init(&timeline->users);
	timeline->context = dma_fence_context_alloc(1);
	snprintf(timeline->name, sizeof(timeline->name), "storm-%llu", timeline->context);
	return timeline;
}

static void timeline_release(struct kref *users)
{
	struct fencestorm_timeline *timeline = container_of(users, struct fencestorm_timeline, users);

	/* Whoever reads it under RCU from now on shows it in the trace. */
	kfree_rcu(timeline, rcu);
}

void fencestorm_timeline_put(struct fencestorm_timeline *timeline)
{
	kref_put(&timeline->users, timeline_release);
}

static const char *driver_name(struct dma_fence *fence)
{
	return "fencestorm";
}

static const char *timeline_name(struct dma_fence *fence)
{
	return to_storm(fence)->timeline->name;
}

/* dma_fence calls it directly after its event. */
static bool enable_signaling(struct dma_fence *fence)
{
	atomic_inc(&fencestorm_counts.enable_signal);
	return true;
}

static void release_owned(struct dma_fence *fence)
{
	fencestorm_timeline_put(to_storm(fence)->timeline);
	kfree_rcu(to_storm(fence), base.rcu);
}

static const struct dma_fence_ops plain_ops = {
	.get_driver_name = driver_name,
	.get_timeline_name = timeline_name,
	.enable_signaling = enable_signaling,
};

static const struct dma_fence_ops owned_ops = {
	.get_driver_name = driver_name,
	.get_timeline_name = timeline_name,
	.enable_signaling = enable_signaling,
	.release = release_owned,
};

/* An interrupt is an RCU read-side section, so irq_work may still look at the fence when this has put it. */
static void signal_in_irq(struct fencestorm_fence *fence)
{
	if (in_hardirq())
		atomic_inc(&fencestorm_counts.in_hard_irq);
	fencestorm_fence_signal(fence);
	fencestorm_fence_put(fence);
	atomic_dec(&fences_in_irq);
}

static void signal_here(struct irq_work *work)
{
	signal_in_irq(container_of(work, struct fencestorm_fence, signal_here));
}

static void signal_elsewhere(void *fence)
{
	signal_in_irq(fence);
}

struct fencestorm_fence *fencestorm_fence_new(struct fencestorm_timeline *timeline, bool is_owned)
{
	struct fencestorm_fence *fence = kzalloc(sizeof(*fence), GFP_KERNEL);

	if (!fence)
		return NULL;
	kref_get(&timeline->users);
	fence->timeline = timeline;
	fence->is_owned = is_owned;
	fence->signal_here = IRQ_WORK_INIT_HARD(signal_here);
	INIT_CSD(&fence->signal_elsewhere, signal_elsewhere, fence);
	spin_lock_init(&fence->lock);
	dma_fence_init(&fence->base, is_owned ? &owned_ops : &plain_ops, &fence->lock, timeline->context,
		       atomic64_inc_return(&timeline->seqno));
	atomic_inc(&fencestorm_counts.init);
	return fence;
}

void fencestorm_fence_emit(struct fencestorm_fence *fence)
{
	trace_dma_fence_emit(&fence->base);
	atomic_inc(&fencestorm_counts.emit);
}

void fencestorm_fence_watch(struct fencestorm_fence *fence)
{
	dma_fence_enable_sw_signaling(&fence->base);
}

void fencestorm_fence_signal(struct fencestorm_fence *fence)
{
	dma_fence_signal(&fence->base);
	atomic_inc(&fencestorm_counts.signaled);
	/* The names may go an RCU grace period after the signal. */
	if (!fence->is_owned)
		fencestorm_timeline_put(fence->timeline);
}

void fencestorm_fence_signal_in_irq(struct fencestorm_fence *fence, bool is_remote)
{
	unsigned int cpu;

	/* A fence's lock sleeps there, and drivers' interrupts are threads. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		fencestorm_fence_signal(fence);
		return;
	}
	dma_fence_get(&fence->base);
	atomic_inc(&fences_in_irq);
	cpus_read_lock();
	cpu = is_remote ? cpumask_any_but(cpu_online_mask, raw_smp_processor_id()) : nr_cpu_ids;
	if (cpu >= nr_cpu_ids || smp_call_function_single_async(cpu, &fence->signal_elsewhere))
		irq_work_queue(&fence->signal_here);
	cpus_read_unlock();
}

void fencestorm_fence_wait(struct fencestorm_fence *fence)
{
	atomic_inc(&fencestorm_counts.wait_start);
	dma_fence_wait_timeout(&fence->base, false, MAX_SCHEDULE_TIMEOUT);
	atomic_inc(&fencestorm_counts.wait_end);
}

void fencestorm_fence_put(struct fencestorm_fence *fence)
{
	if (kref_put(&fence->base.refcount, dma_fence_release))
		atomic_inc(&fencestorm_counts.destroy);
}

void fencestorm_fences_drain(void)
{
	while (atomic_read(&fences_in_irq))
		msleep(1);
}
