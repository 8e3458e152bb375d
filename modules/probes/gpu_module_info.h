/* SPDX-License-Identifier: GPL-2.0-only */
/* What every probe module says of itself; modinfo shows the events that this kernel build cannot carry. */
MODULE_LICENSE("GPL");
MODULE_AUTHOR("the lttng-gpu developers");
MODULE_VERSION(LTTNG_GPU_VERSION);
#ifdef GPU_LEFT_OUT
MODULE_INFO(left_out, GPU_LEFT_OUT);
#endif
