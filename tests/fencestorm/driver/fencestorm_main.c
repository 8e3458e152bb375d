// SPDX-License-Identifier: GPL-2.0-only
/* Threads that lead fences through their lives, two for each CPU. */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "fencestorm.h"

#define FENCES_PER_TIMELINE 64

static unsigned int fences = 100000;
module_param(fences, uint, 0444);
MODULE_PARM_DESC(fences, "how many fences live (default 100000)");

#define COUNT(name) module_param_named(name, fencestorm_counts.name.counter, int, 0444)
COUNT(init);
COUNT(emit);
COUNT(enable_signal);
COUNT(signaled);
COUNT(wait_start);
COUNT(wait_end);
COUNT(destroy);
COUNT(in_hard_irq);
COUNT(in_nmi);

static atomic_t next_fence;
static atomic_t workers;
static DECLARE_COMPLETION(workers_done);
static int storm_error;

static int lead_lives(void *unused)
{
	struct fencestorm_timeline *timeline = NULL;
	unsigned int number;

	while ((number = atomic_inc_return(&next_fence) - 1) < fences && !READ_ONCE(storm_error)) {
		if (!timeline || !(number % FENCES_PER_TIMELINE)) {
			if (timeline)
				fencestorm_timeline_put(timeline);
			timeline = fencestorm_timeline_new();
		}
		if (!timeline || fencestorm_live(timeline, number))
			WRITE_ONCE(storm_error, -ENOMEM);
		cond_resched();
	}
	if (timeline)
		fencestorm_timeline_put(timeline);
	if (atomic_dec_and_test(&workers))
		complete(&workers_done);
	return 0;
}

static int __init fencestorm_init(void)
{
	unsigned int i, count = 2 * num_online_cpus();
	int error = fencestorm_nmi_init();

	if (error)
		return error;
	atomic_set(&workers, count);
	for (i = 0; i < count; ++i) {
		struct task_struct *worker = kthread_run(lead_lives, NULL, "fencestorm/%u", i);

		if (IS_ERR(worker)) {
			storm_error = PTR_ERR(worker);
			if (atomic_sub_and_test(count - i, &workers))
				complete(&workers_done);
			break;
		}
	}
	wait_for_completion(&workers_done);
	fencestorm_fences_drain();
	fencestorm_nmi_exit();
	/* Frees that RCU has been asked for call nothing here, but the ops must outlive their last reader. */
	synchronize_rcu();
	return storm_error;
}

static void __exit fencestorm_exit(void)
{
}

module_init(fencestorm_init);
module_exit(fencestorm_exit);
MODULE_LICENSE("GPL");
MODULE_AUTHOR("the lttng-gpu developers");
MODULE_DESCRIPTION("dma_fences that live every kind of life, to test tracing of them");
