// SPDX-License-Identifier: GPL-2.0-only
/* lttng-gpu-base: what the probe modules share. It comes and goes with them, and does nothing by itself. */
#include "identity.h"
#include "tap.h"

#include <linux/cache.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/random.h>

siphash_key_t gpu_identity_key __ro_after_init;
EXPORT_SYMBOL_GPL(gpu_identity_key);

static int gpu_get_settled(char *buffer, const struct kernel_param *parameter)
{
	gpu_taps_wait();
	return scnprintf(buffer, PAGE_SIZE, "Y\n");
}

static const struct kernel_param_ops gpu_settled_ops = { .get = gpu_get_settled };
module_param_cb(settled, &gpu_settled_ops, NULL, 0444);
MODULE_PARM_DESC(settled, "reading it waits until all events that are enabled are attached (read only)");

static int __init lttng_gpu_base_init(void)
{
	get_random_bytes(&gpu_identity_key, sizeof(gpu_identity_key));
	return gpu_taps_init();
}

static void __exit lttng_gpu_base_exit(void)
{
	gpu_taps_exit();
}

module_init(lttng_gpu_base_init);
module_exit(lttng_gpu_base_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("the lttng-gpu developers");
MODULE_VERSION(LTTNG_GPU_VERSION);
MODULE_DESCRIPTION("What the LTTng probes of GPU drivers share");
