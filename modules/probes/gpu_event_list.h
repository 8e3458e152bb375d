/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For providers with many events of few classes. A class lists its events once, in a macro that takes a macro:
 *   #define CLASS_EVENTS(event) event(first) event(second)
 * and whatever depends on which of them this kernel has is made from the list.
 */
#ifndef LTTNG_GPU_EVENT_LIST_H
#define LTTNG_GPU_EVENT_LIST_H

#include <linux/compiler_types.h>
#include <linux/kconfig.h>

/* In #if: how many of the listed events this kernel has. */
#define GPU_EVENTS_PRESENT(list) (0 list(GPU_COUNT_IF_PRESENT))
#define GPU_COUNT_IF_PRESENT(name) + __is_defined(GPU_TRACEPOINT_##name)

/* What follows the name, when this kernel has the event, which has one known prototype (number 1); else nothing. */
#define GPU_IF_PRESENT(name, ...) __PASTE(GPU_IF_PRESENT_, __is_defined(GPU_TRACEPOINT_##name))(__VA_ARGS__)
#define GPU_IF_PRESENT_1(...) __VA_ARGS__
#define GPU_IF_PRESENT_0(...)

#endif
