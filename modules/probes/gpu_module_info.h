/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every probe module says of itself. modinfo shows the kernel build (uname -v), a hash of the kernel's types, and the events that it cannot carry; the exported
 * number of events tells lttng-probe-gpu that the probe is loaded.
 */
#include <linux/export.h>
#include <linux/module.h>

#ifdef GPU_PROBE_SYMBOL
extern const unsigned int GPU_PROBE_SYMBOL;
const unsigned int GPU_PROBE_SYMBOL = GPU_EVENT_COUNT;
EXPORT_SYMBOL_GPL(GPU_PROBE_SYMBOL);

MODULE_INFO(left_out, GPU_LEFT_OUT);
MODULE_INFO(kernel_build, GPU_KERNEL_BUILD);
MODULE_INFO(kernel_types, GPU_KERNEL_TYPES);
#endif

MODULE_LICENSE("GPL");
MODULE_AUTHOR("the lttng-gpu developers");
MODULE_VERSION(LTTNG_GPU_VERSION);
