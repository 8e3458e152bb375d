// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module whose tracepoints have the names of others, but not their prototypes: it stands for amdgpu-dkms' amd-sched, and for any
 * module with a tracepoint "job". A number that is written to its parameter "fire" says how often it fires each,
 * with arguments that no handler may follow.
 */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "foreign_trace.h"

static const unsigned long wild[] = { 1, 0xdead000000000100, ~0UL, 0x4141414141414141 };

static void fire_all(const unsigned long *a)
{
	trace_drm_sched_job(a[0], a[1], a[2], a[3]);
	trace_drm_run_job(a[0], a[1], a[2], a[3]);
	trace_drm_sched_process_job(a[0], a[1], a[2], a[3]);
	trace_drm_sched_job_queue(a[0], a[1], a[2], a[3]);
	trace_drm_sched_job_run(a[0], a[1], a[2], a[3]);
	trace_drm_sched_job_done(a[0], a[1], a[2], a[3]);
	trace_dma_fence_wait_start(a[0], a[1], a[2], a[3]);
	trace_virtio_gpu_cmd_queue(a[0], a[1], a[2], a[3]);
	trace_job(a[0], a[1], a[2], a[3]);
	trace_jsm(a[0], a[1], a[2], a[3]);
	trace_pm(a[0], a[1], a[2], a[3]);
	trace_mbox_set_tail(a[0], a[1], a[2], a[3]);
	trace_mbox_set_head(a[0], a[1], a[2], a[3]);
}

static int fire(const char *value, const struct kernel_param *parameter)
{
	unsigned int times, i;
	int error = kstrtouint(value, 0, &times);

	while (!error && times--) {
		unsigned long arguments[ARRAY_SIZE(wild)];

		for (i = 0; i < ARRAY_SIZE(wild); i++)
			arguments[i] = wild[(i + times) % ARRAY_SIZE(wild)];
		fire_all(arguments);
	}
	return error;
}

static const struct kernel_param_ops fire_ops = { .set = fire };
module_param_cb(fire, &fire_ops, NULL, 0200);

static int __init foreign_init(void)
{
	return 0;
}

static void __exit foreign_exit(void)
{
}

module_init(foreign_init);
module_exit(foreign_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Tracepoints of the names of others");
