/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The taps of a probe module (modules/base/tap.h), and its beginning and end.
 *
 * A tap runs LTTng's handlers with preemption off. Up to 6.x the kernel called tracepoint handlers that way; since tracepoints are
 * guarded by srcu_fast (include/linux/tracepoint.h, seen in 7.2) it does not. LTTng's probe template keeps the lengths of
 * strings on a per-CPU stack and its session state under RCU, so a preempted or migrated handler writes garbage into the
 * trace (seen on 7.2 with LTTng 2.16: UBSAN index-out-of-bounds, unreadable packets). It is also what makes a handler an
 * RCU read-side section from its first instruction to its last: on that depend the names of fences, and LTTng, which waits for
 * synchronize_rcu() alone before it frees an event.
 */
#ifndef LTTNG_GPU_PROBE_GUARD_H
#define LTTNG_GPU_PROBE_GUARD_H

#include <linux/build_bug.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <lttng/events.h>

#include "gpu_build_check.h"

#define GPU_TAP_LIST(...) __VA_ARGS__

/*
 * For each event: the tracepoint of the probe's own that LTTng attaches to, and the tap that fires it. The tap's type is the
 * tracepoint's to the letter, as kCFI asks for. DEFINE_EVENT() declares a tracepoint under its very name on every kernel;
 * DECLARE_TRACE() adds _tp since 6.16.
 */
#ifndef GPU_TAP_OWN /* no two modules may have the same */
#define GPU_TAP_OWN(tracepoint) lttng_gpu_##tracepoint
#endif
#define GPU_TAP_DECLARE(tracepoint, proto, args)                                                       \
	DEFINE_EVENT(gpu_tap, GPU_TAP_OWN(tracepoint), GPU_TAP_LIST proto, GPU_TAP_LIST args);         \
	static struct gpu_tap gpu_tap_##tracepoint
#define GPU_TAP_DEFINE_OWN(own, want, release, proto, args)                                            \
	DEFINE_TRACE_FN(own, want, release, PARAMS(proto), PARAMS(args))

#define GPU_TAP_DEFINE(tracepoint, proto, args)                                                        \
	GPU_TAP_DECLARE(tracepoint, proto, args);                                                      \
	static void gpu_tap_fire_##tracepoint(void *gpu_tap_data, GPU_TAP_LIST proto)                  \
	{                                                                                              \
		static_assert(__builtin_types_compatible_p(typeof(gpu_tap_fire_##tracepoint),          \
							   GPU_HANDLER_##tracepoint),                  \
			      "the event's prototype is not that of the driver's BTF");                \
		preempt_disable_notrace();                                                             \
		__PASTE(trace_, GPU_TAP_OWN(tracepoint))(GPU_TAP_LIST args);                           \
		preempt_enable_notrace();                                                              \
	}                                                                                              \
	static int gpu_tap_want_##tracepoint(void)                                                     \
	{                                                                                              \
		gpu_tap_want(&gpu_tap_##tracepoint, true);                                             \
		return 0;                                                                              \
	}                                                                                              \
	static void gpu_tap_release_##tracepoint(void)                                                 \
	{                                                                                              \
		gpu_tap_want(&gpu_tap_##tracepoint, false);                                            \
	}                                                                                              \
	GPU_TAP_DEFINE_OWN(GPU_TAP_OWN(tracepoint), gpu_tap_want_##tracepoint, gpu_tap_release_##tracepoint, \
			   GPU_TAP_LIST proto, GPU_TAP_LIST args);                                     \
	static struct gpu_tap gpu_tap_##tracepoint = {                                                 \
		.name = #tracepoint,                                                                   \
		.own = &__PASTE(__tracepoint_, GPU_TAP_OWN(tracepoint)),                                           \
		.handler = gpu_tap_fire_##tracepoint,                                                  \
	}

/* Tells LTTng the names of the probe's own tracepoints instead of the driver's. The descriptions are constant, so they are copied. */
static inline int gpu_taps_describe(struct lttng_kernel_probe_desc *provider, struct gpu_tap *const *taps, size_t count)
{
	struct lttng_kernel_event_desc *events = kcalloc(provider->nr_events + 1, sizeof(*events), GFP_KERNEL);
	const struct lttng_kernel_event_desc **list = kcalloc(provider->nr_events + 1, sizeof(*list), GFP_KERNEL);
	unsigned int i;
	size_t tap;

	if (!events || !list)
		goto no_memory;
	for (i = 0; i < provider->nr_events; i++) {
		events[i] = *provider->event_desc[i];
		for (tap = 0; tap < count && strcmp(taps[tap]->name, events[i].event_kname); tap++)
			;
		if (WARN_ON(tap == count)) /* every event has one */
			goto no_memory;
		events[i].event_kname = taps[tap]->own->name;
		list[i] = &events[i];
	}
	list[0] = events;
	provider->event_desc = list;
	return 0;

no_memory:
	kfree(events);
	kfree(list);
	return -ENOMEM;
}

/* After LTTng has forgotten the provider. */
static inline void gpu_taps_forget(struct lttng_kernel_probe_desc *provider)
{
	kfree(provider->event_desc[0]);
	kfree(provider->event_desc);
}

#define TP_MODULE_NOAUTOLOAD

/* A provider, from after gpu_source_prepare() on. */
#define gpu_provider_take(provider)                                                                    \
	({                                                                                             \
		gpu_source_add_taps(&gpu_source, gpu_taps_##provider, ARRAY_SIZE(gpu_taps_##provider)); \
		gpu_taps_describe(&__probe_desc___##provider, gpu_taps_##provider, ARRAY_SIZE(gpu_taps_##provider)); \
	})
#define gpu_provider_forget(provider) gpu_taps_forget(&__probe_desc___##provider)

/* For the end of each probe module, with its provider. */
#define GPU_PROBE_MODULE(provider)                                                                     \
	static int __init gpu_probe_init(void)                                                         \
	{                                                                                              \
		int error = gpu_kernel_check();                                                        \
                                                                                                       \
		if (error)                                                                             \
			return error;                                                                  \
		gpu_source_prepare(&gpu_source);                                                       \
		error = gpu_provider_take(provider);                                                   \
		if (error)                                                                             \
			return error;                                                                  \
		error = gpu_source_begin(&gpu_source);                                                 \
		if (error)                                                                             \
			goto no_source;                                                                \
		error = __lttng_events_init__##provider();                                             \
		if (!error)                                                                            \
			return 0;                                                                      \
		gpu_source_end(&gpu_source);                                                           \
	no_source:                                                                                     \
		gpu_provider_forget(provider);                                                         \
		return error;                                                                          \
	}                                                                                              \
	static void __exit gpu_probe_exit(void)                                                        \
	{                                                                                              \
		__lttng_events_exit__##provider();                                                     \
		gpu_source_end(&gpu_source);                                                           \
		gpu_provider_forget(provider);                                                         \
	}                                                                                              \
	module_init(gpu_probe_init);                                                                   \
	module_exit(gpu_probe_exit)

#endif
