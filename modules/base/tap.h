/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taps: how a probe gets at the tracepoints of its driver, and of nobody else.
 *
 * LTTng attaches a handler to whatever tracepoint has the name, in any module (lttng-tracepoint.c): amdgpu-dkms' amd-sched has
 * the names of gpu-sched, and any module may have a tracepoint "job". So LTTng gets no name of a driver's tracepoint. For each,
 * the probe has a tracepoint of its own, named lttng_gpu_..., to which LTTng attaches, and a tap: a handler that fires it. Taps
 * are attached here, to the struct tracepoint of the one module that was checked, before any code of it runs.
 *
 * Taps are attached while an event is enabled. LTTng enables events under tracepoints_mutex, under which nothing can be
 * attached, so a workqueue does it, at most some milliseconds later. Reading lttng_gpu_base's parameter "settled" waits for it.
 *
 * Locks: notifiers of tracepoints run under tracepoint_module_list_mutex, and take source->lock, and that tracepoints_mutex.
 */
#ifndef LTTNG_GPU_TAP_H
#define LTTNG_GPU_TAP_H

#include "driver_facts.h"

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/tracepoint.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/* Installed with the probes, by whichever way they were. "lttng-gpu doctor" says the same. */
#define GPU_HOW_TO_REBUILD "lttng-gpu-rebuild"

struct gpu_source;

struct gpu_tap {
	const char *name;	       /* of the driver's tracepoint */
	struct tracepoint *own;	       /* LTTng's handlers are attached to it */
	void *handler;		       /* fires own; NULL: the probe makes the event itself */
	struct gpu_source *source;
	struct list_head node;
	struct tracepoint *tracepoint; /* the driver's, of a driver that was checked */
	bool is_wanted;
	bool is_attached;
};

/* Whose tracepoints a probe module records: those of one driver, or of the kernel image. */
struct gpu_source {
	const char *probe;	      /* the probe's name, for the kernel log */
	struct module *owner;
	const char *driver;	      /* as in /proc/modules; NULL: the kernel image */
	bool driver_has_tracepoints;  /* else only the general notifiers hear of it */
	const struct gpu_fact *facts; /* that hold of the driver */
	size_t fact_count;

	bool is_known;	   /* written while no code of the driver runs yet: the driver that is loaded has all facts */
	char problem[160]; /* why the driver that was loaded last is not read; empty when it is */

	struct mutex lock;
	struct list_head taps;
	struct list_head strangers; /* modules that are loaded and have tracepoints of these names */
	struct work_struct work;
	struct notifier_block tracepoint_notifier;
	struct notifier_block module_notifier;
};

void gpu_source_prepare(struct gpu_source *source);
void gpu_source_add_taps(struct gpu_source *source, struct gpu_tap *const *taps, size_t count);

/* 0, or a negative errno. What is loaded already is looked at, too. May sleep. */
int gpu_source_begin(struct gpu_source *source);
/* For the end of a probe, when LTTng knows its events no more: no handler runs afterwards. */
void gpu_source_end(struct gpu_source *source);

/* Also of a driver without tracepoints: that there is its BTF says it. */
bool gpu_driver_is_loaded(const char *driver);

/* The tap's own tracepoint is attached to, or no more. Called under tracepoints_mutex. */
void gpu_tap_want(struct gpu_tap *tap, bool is_wanted);

/* Of lttng-gpu-base itself. gpu_taps_wait(): until what was enabled before is attached. */
int gpu_taps_init(void);
void gpu_taps_exit(void);
void gpu_taps_wait(void);

/* For a parameter: a line for each stranger, its name and one of its tracepoints. */
int gpu_source_list_strangers(struct gpu_source *source, char *buffer, size_t size);

/*
 * Whether the running kernel has the types that a probe was built with, known by a hash of the BTF (modules/layout/kernel_types.cpp has
 * the same). "uname -v" is not enough: who builds with a fixed KBUILD_BUILD_TIMESTAMP gets the same for every build. It covers what a driver takes
 * from the kernel image, and drivers that are built in. When not, problem says why, cut to its size.
 */
bool gpu_kernel_has_types(const char *hash, char *problem, size_t size);

#endif
