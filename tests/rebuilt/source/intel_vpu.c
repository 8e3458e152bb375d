// SPDX-License-Identifier: GPL-2.0-only
/*
 * A stand-in for intel_vpu.ko, which its developer builds again: it has the names of what lttng-probe-gpu-intel-vpu reads,
 * and fires the tracepoint when a number is written to its parameter "fire", with that as the job's id. In the form
 * "appended" it has more of what nobody reads, in the form "moved" the fields that are read lie elsewhere. Nothing else
 * tells the forms apart, and all of them say the same version.
 */
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/module.h>

#include "rebuilt_job.h"

#define CREATE_TRACE_POINTS
#include "rebuilt_trace.h"

static struct ivpu_device vpu;
static struct ivpu_file_priv file = { .ctx.id = 3 };

static int fire(const char *value, const struct kernel_param *parameter)
{
	struct ivpu_job job = { .vdev = &vpu, .file_priv = &file, .cmdq_id = 5, .engine_idx = 7 };
	int error = kstrtou32(value, 0, &job.job_id);

	if (error)
		return error;
	job.done_fence = dma_fence_get_stub();
	trace_job("submit", &job);
	dma_fence_put(job.done_fence);
	return 0;
}

static const struct kernel_param_ops fire_ops = { .set = fire };
module_param_cb(fire, &fire_ops, NULL, 0200);

#ifdef FORM_appended
unsigned int rebuilt_more(const struct ivpu_job *job);
unsigned int rebuilt_more(const struct ivpu_job *job)
{
	return job->more;
}
EXPORT_SYMBOL_GPL(rebuilt_more);
#endif

static int __init rebuilt_init(void)
{
	vpu.drm.dev = root_device_register("rebuilt-vpu");
	return PTR_ERR_OR_ZERO(vpu.drm.dev);
}

static void __exit rebuilt_exit(void)
{
	root_device_unregister(vpu.drm.dev);
}

module_init(rebuilt_init);
module_exit(rebuilt_exit);
MODULE_LICENSE("GPL");
MODULE_VERSION("1.0");
MODULE_DESCRIPTION("Stand-in for intel_vpu");
