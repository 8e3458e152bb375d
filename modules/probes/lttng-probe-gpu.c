// SPDX-License-Identifier: GPL-2.0-only
/*
 * lttng-probe-gpu: loading it loads every GPU probe that was built for this kernel, unloading it with modprobe -r
 * unloads them. A soft dependency on a probe that was not built (its driver is not in this kernel) is no error.
 */
#include <linux/init.h>
#include <linux/module.h>

MODULE_SOFTDEP("pre: lttng-probe-gpu-fence lttng-probe-gpu-drm-sched lttng-probe-gpu-virtio-gpu");

static int __init lttng_probe_gpu_init(void)
{
	return 0;
}

static void __exit lttng_probe_gpu_exit(void)
{
}

module_init(lttng_probe_gpu_init);
module_exit(lttng_probe_gpu_exit);

#include "gpu_module_info.h"
MODULE_DESCRIPTION("Loads the LTTng probes of all GPU drivers");
