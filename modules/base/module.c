// SPDX-License-Identifier: GPL-2.0-only
/* lttng-gpu-base: what the probe modules share. It comes and goes with them, and does nothing by itself. */
#include <linux/module.h>

MODULE_LICENSE("GPL");
MODULE_AUTHOR("the lttng-gpu developers");
MODULE_VERSION(LTTNG_GPU_VERSION);
MODULE_DESCRIPTION("What the LTTng probes of GPU drivers share");
