// SPDX-License-Identifier: GPL-2.0-only
/*
 * lttng-probe-gpu: loading it loads every GPU probe that was built for this kernel, unloading it with modprobe -r
 * unloads them. modprobe takes a soft dependency that is not there, or that fails, in silence; so this module looks
 * which ones came, says it in the kernel log, and refuses to load when none did.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/printk.h>

MODULE_SOFTDEP("pre: lttng-probe-gpu-fence lttng-probe-gpu-drm-sched lttng-probe-gpu-virtio-gpu "
	       "lttng-probe-gpu-amdgpu lttng-probe-gpu-i915 lttng-probe-gpu-xe");

extern const unsigned int lttng_probe_gpu_fence_events;
extern const unsigned int lttng_probe_gpu_drm_sched_events;
extern const unsigned int lttng_probe_gpu_virtio_gpu_events;
extern const unsigned int lttng_probe_gpu_amdgpu_events;
extern const unsigned int lttng_probe_gpu_i915_events;
extern const unsigned int lttng_probe_gpu_xe_events;

/* Evaluates to whether the probe is loaded. The reference is dropped at once: the probe may go before this module. */
#define gpu_probe_is_loaded(symbol, name)                                                              \
	({                                                                                             \
		const unsigned int *events = symbol_get(symbol);                                       \
                                                                                                       \
		if (events) {                                                                          \
			pr_info("lttng-probe-gpu: %s: %u events\n", name, *events);                    \
			symbol_put(symbol);                                                            \
		} else {                                                                               \
			pr_info("lttng-probe-gpu: %s: not built for this kernel, or not loadable\n", name); \
		}                                                                                      \
		events != NULL;                                                                        \
	})

static int __init lttng_probe_gpu_init(void)
{
	int loaded = gpu_probe_is_loaded(lttng_probe_gpu_fence_events, "dma_fence") +
		     gpu_probe_is_loaded(lttng_probe_gpu_drm_sched_events, "gpu_scheduler") +
		     gpu_probe_is_loaded(lttng_probe_gpu_virtio_gpu_events, "virtio_gpu") +
		     gpu_probe_is_loaded(lttng_probe_gpu_amdgpu_events, "amdgpu") +
		     gpu_probe_is_loaded(lttng_probe_gpu_i915_events, "i915") +
		     gpu_probe_is_loaded(lttng_probe_gpu_xe_events, "xe");

	return loaded ? 0 : -ENODEV;
}

static void __exit lttng_probe_gpu_exit(void)
{
}

module_init(lttng_probe_gpu_init);
module_exit(lttng_probe_gpu_exit);

#include "gpu_module_info.h"
MODULE_DESCRIPTION("Loads the LTTng probes of all GPU drivers");
