/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs every probe of a module with preemption off.
 *
 * Up to 6.x the kernel called tracepoint handlers that way; since tracepoints are guarded by srcu_fast
 * (include/linux/tracepoint.h, seen in 7.2) it does not. LTTng's probe template keeps the lengths of strings on a
 * per-CPU stack and its session state under RCU, so a preempted or migrated handler writes garbage into the trace
 * (seen on 7.2 with LTTng 2.16: UBSAN index-out-of-bounds, unreadable packets). It is also what makes a handler an
 * RCU read-side section, on which the names of fences depend.
 *
 * LTTng registers TP_PROBE_CB(class) as the handler, so there has to be a GPU_PROBE() for every class of events;
 * gpu_probe_events.h makes them.
 */
#ifndef LTTNG_GPU_PROBE_GUARD_H
#define LTTNG_GPU_PROBE_GUARD_H

#include <linux/init.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/tracepoint.h>

#include "gpu_build_check.h"

/*
 * For the end of each probe module, with its provider. A handler can be preempted when it has left the guard and not
 * yet returned, where only tracepoint_srcu protects it. LTTng and the module loader wait for synchronize_rcu() alone,
 * so the module would be gone under it; include/linux/tracepoint.h asks for tracepoint_synchronize_unregister().
 */
#define TP_MODULE_NOAUTOLOAD
#define GPU_PROBE_MODULE(provider)                                                                     \
	static int __init gpu_probe_init(void)                                                         \
	{                                                                                              \
		int error = gpu_build_check_begin();                                                   \
                                                                                                       \
		if (error)                                                                             \
			return error;                                                                  \
		error = __lttng_events_init__##provider();                                             \
		if (error)                                                                             \
			gpu_build_check_end();                                                         \
		return error;                                                                          \
	}                                                                                              \
	static void __exit gpu_probe_exit(void)                                                        \
	{                                                                                              \
		__lttng_events_exit__##provider();                                                     \
		gpu_build_check_end();                                                                 \
		tracepoint_synchronize_unregister();                                                   \
	}                                                                                              \
	module_init(gpu_probe_init);                                                                   \
	module_exit(gpu_probe_exit)

#define TP_PROBE_CB(_template) &gpu_probe_##_template

#define GPU_PROBE_ARGS(...) __VA_ARGS__

#define GPU_PROBE(class, proto, args)                                                                  \
	static void __event_probe__##class(void *__data, GPU_PROBE_ARGS proto);                        \
	static void gpu_probe_##class(void *__data, GPU_PROBE_ARGS proto)                              \
	{                                                                                              \
		if (unlikely(gpu_driver_is_foreign))                                                   \
			return;                                                                        \
		preempt_disable_notrace();                                                             \
		__event_probe__##class(__data, GPU_PROBE_ARGS args);                                   \
		preempt_enable_notrace();                                                              \
	}

#endif
