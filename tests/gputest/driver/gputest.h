/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The objects of the gputest driver and who keeps them alive:
 * a device holds an engine per ring, an engine holds one drm_gpu_scheduler, a
 * file holds one entity per ring, a job holds its hardware fence. The fence
 * holds the engine, because the scheduler's fences keep our fence (their
 * parent) and use the scheduler's name until their last holder lets go, which
 * can be long after the device went away.
 */
#ifndef GPUTEST_H
#define GPUTEST_H

#include <linux/dma-fence.h>
#include <linux/hrtimer.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/wait.h>
#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/gpu_scheduler.h>

#include "gputest_log.h"

#define GPUTEST_NUM_RINGS	4
#define GPUTEST_MAX_SLOTS	4

struct gputest_ring {
	const char *name;
	unsigned int slots;	/* jobs that execute at the same time */
};

extern const struct gputest_ring gputest_rings[GPUTEST_NUM_RINGS];

/* One place of execution; a FIFO engine has one of them. */
struct gputest_slot {
	struct gputest_engine *engine;
	struct hrtimer timer;
	/* Owner of the slot until its fence is signalled. Under engine->lock. */
	struct gputest_fence *fence;
};

struct gputest_engine {
	struct drm_gpu_scheduler sched;
	const struct gputest_ring *ring;
	struct kref ref;

	/* The members below it, and what the slots execute. */
	spinlock_t lock;
	struct list_head waiting;	/* of gputest_fence.link */
	bool cancelled;
	u64 context;		/* of the fences of a FIFO engine */
	u64 seqno;
	struct gputest_slot slots[GPUTEST_MAX_SLOTS];
};

/* The hardware fence of a job, and all that the engine knows of the job. */
struct gputest_fence {
	struct dma_fence base;
	spinlock_t lock;		/* of @base, see dma_fence_init() */
	struct gputest_engine *engine;
	struct gputest_record *record;
	struct list_head link;
	u64 submitted_lo;
	u64 exec_ns;
	int error;
};

struct gputest_job {
	struct drm_sched_job base;
	struct gputest_device *gdev;
	struct gputest_fence *fence;
	struct gputest_record *record;
	struct dma_fence_cb finished_cb;
	u64 hw_context;		/* of the fences of this entity */
	bool has_run;
	struct rcu_head rcu;
};

struct gputest_entity {
	struct drm_sched_entity base;
	/* From drm_sched_job_arm() to drm_sched_entity_push_job(). */
	struct mutex lock;
	u64 hw_context;
};

struct gputest_file {
	struct gputest_entity entities[GPUTEST_NUM_RINGS];
	struct rcu_head rcu;
};

struct gputest_device {
	struct drm_device drm;
	unsigned int index;
	struct gputest_engine *engines[GPUTEST_NUM_RINGS];
	atomic_t jobs;
};

static inline struct gputest_device *to_gputest_device(struct drm_device *drm)
{
	return container_of(drm, struct gputest_device, drm);
}

/* Woken when a count of jobs or engines falls to zero. */
extern char *gputest_driver_name;
extern wait_queue_head_t gputest_idle;

/* gputest_engine.c */
struct gputest_engine *
gputest_engine_create(const struct gputest_ring *ring,
		      const struct drm_sched_backend_ops *ops,
		      struct device *dev, u32 credit_limit);
void gputest_engine_cancel(struct gputest_engine *engine);
void gputest_engine_destroy(struct gputest_engine *engine);
void gputest_engines_wait_gone(void);

struct gputest_fence *gputest_fence_alloc(struct gputest_engine *engine);
void gputest_fence_discard(struct gputest_fence *fence);
struct dma_fence *gputest_engine_execute(struct gputest_fence *fence,
					 u64 context, u64 seqno);
struct dma_fence *gputest_fence_never_executed(struct gputest_fence *fence);

/* gputest_submit.c */
extern const struct drm_sched_backend_ops gputest_sched_ops;
int gputest_submit_ioctl(struct drm_device *drm, void *data,
			 struct drm_file *file);

#endif
