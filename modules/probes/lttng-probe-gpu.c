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
#include <linux/string.h>

#include <instrumentation/drivers.h>

#define GPU_LEFT_TO_THE_USER(...)

#define GPU_SOFTDEP(probe, ...) " lttng_probe_gpu_" #probe
MODULE_SOFTDEP("pre:" GPU_DRIVERS(GPU_SOFTDEP, GPU_LEFT_TO_THE_USER));

#define GPU_DECLARE_EVENTS(probe, ...) extern const unsigned int lttng_probe_gpu_##probe##_events;
GPU_DRIVERS(GPU_DECLARE_EVENTS, GPU_LEFT_TO_THE_USER)

/* The drivers that had no BTF when the probes were built, with ' ' between them. "lttng-gpu doctor" shows them. */
MODULE_INFO(drivers_without_btf, GPU_DRIVERS_WITHOUT_BTF);

static bool gpu_had_no_btf(const char *driver)
{
	size_t length = strlen(driver);
	const char *found = GPU_DRIVERS_WITHOUT_BTF;

	for (; length && *found; found += strcspn(found, " "), found += *found == ' ') {
		if (strcspn(found, " ") == length && !strncmp(found, driver, length))
			return true;
	}
	return false;
}

/* Evaluates to whether the probe is loaded. The reference is dropped at once: the probe may go before this module. */
#define gpu_probe_is_loaded(symbol, name, driver)                                                        \
	({                                                                                             \
		const unsigned int *events = symbol_get(symbol);                                       \
                                                                                                       \
		if (events) {                                                                          \
			pr_info("lttng-probe-gpu: %s: %u events\n", name, *events);                    \
			symbol_put(symbol);                                                            \
		} else if (gpu_had_no_btf(driver)) {                                                   \
			pr_warn("lttng-probe-gpu: %s: not built: %s had no BTF, its events are not recorded\n", name, driver); \
		} else {                                                                               \
			pr_info("lttng-probe-gpu: %s: not built for this kernel, or not loadable\n", name); \
		}                                                                                      \
		events != NULL;                                                                        \
	})

#define GPU_COUNT_IF_LOADED(probe, provider, module, system, ...)                                      \
	+gpu_probe_is_loaded(lttng_probe_gpu_##probe##_events, system, module)

static int __init lttng_probe_gpu_init(void)
{
	int loaded = 0 GPU_DRIVERS(GPU_COUNT_IF_LOADED, GPU_LEFT_TO_THE_USER);

	return loaded ? 0 : -ENODEV;
}

static void __exit lttng_probe_gpu_exit(void)
{
}

module_init(lttng_probe_gpu_init);
module_exit(lttng_probe_gpu_exit);

#include "gpu_module_info.h"
MODULE_DESCRIPTION("Loads the LTTng probes of all GPU drivers");
