/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fencestorm: a test module that leads many dma_fences through every kind of life, as fast as it can, on all CPUs:
 * signalled before, while and after their events fire, from threads, hard interrupts and an NMI-like context, freed
 * by RCU, with names that are freed as early as the rules of dma_fence allow.
 *
 * "modprobe fencestorm fences=N" returns when all fences are gone; how often each dma_fence event has fired is then in
 * /sys/module/fencestorm/parameters/.
 */
#ifndef FENCESTORM_H
#define FENCESTORM_H

#include <linux/dma-fence.h>
#include <linux/irq_work.h>
#include <linux/kref.h>
#include <linux/smp.h>
#include <linux/spinlock.h>

/* How often each event has fired. */
struct fencestorm_counts {
	atomic_t init, emit, enable_signal, signaled, wait_start, wait_end, destroy;
	atomic_t in_hard_irq; /* of signaled */
	atomic_t in_nmi; /* of emit */
};
extern struct fencestorm_counts fencestorm_counts;

/* What the fences of a driver get their name from. Freed an RCU grace period after its last user is done. */
struct fencestorm_timeline {
	struct kref users;
	struct rcu_head rcu;
	u64 context;
	atomic64_t seqno;
	char name[24];
};

struct fencestorm_fence {
	struct dma_fence base; /* first: dma_fence_free() frees a fence that has no release() */
	spinlock_t lock;
	bool is_owned;
	struct fencestorm_timeline *timeline;
	struct irq_work signal_here;
	call_single_data_t signal_elsewhere;
};

struct fencestorm_timeline *fencestorm_timeline_new(void);
void fencestorm_timeline_put(struct fencestorm_timeline *timeline);

/*
 * is_owned: the driver frees the fence itself (dma_fence_ops::release), so its ops stay when it signals. Otherwise
 * kernels since "dma-buf: detach fence ops on signal" (541c8f2468b9) clear them, and the fence gives up its timeline
 * when it signals. NULL without memory.
 */
struct fencestorm_fence *fencestorm_fence_new(struct fencestorm_timeline *timeline, bool is_owned);
void fencestorm_fence_emit(struct fencestorm_fence *fence);
void fencestorm_fence_watch(struct fencestorm_fence *fence);
/* Once in the life of a fence. */
void fencestorm_fence_signal(struct fencestorm_fence *fence);
/* The same from a hard interrupt, on another CPU if there is one and is_remote; takes its own reference. */
void fencestorm_fence_signal_in_irq(struct fencestorm_fence *fence, bool is_remote);
void fencestorm_fence_wait(struct fencestorm_fence *fence);
void fencestorm_fence_put(struct fencestorm_fence *fence);
/* Until no interrupt has a fence any more. */
void fencestorm_fences_drain(void);

int fencestorm_nmi_init(void);
void fencestorm_nmi_exit(void);

/* One life; which one comes from the number. Returns -ENOMEM when the fence could not be had. */
int fencestorm_live(struct fencestorm_timeline *timeline, unsigned int number);

#endif
