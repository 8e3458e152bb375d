/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Refuses a kernel or a driver other than the one whose BTF the layouts were read from. The release that the module
 * loader compares is not enough: a distribution's update may keep it and still change private structures, and a driver can
 * be replaced by one that its developer or amdgpu-dkms has built. The kernel is known by what "uname -v" says; a driver is
 * asked for each fact that the probe was compiled with (modules/base/driver_facts.h), whenever one is loaded.
 *
 * scripts/build-modules writes GPU_KERNEL_BUILD and, for a probe of a module, GPU_DRIVER_NAME into the layout header, in
 * which btf-layout has written GPU_DRIVER_FACTS.
 */
#ifndef LTTNG_GPU_BUILD_CHECK_H
#define LTTNG_GPU_BUILD_CHECK_H

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/panic.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/utsname.h>

/* Installed with the probes, by whichever way they were. "lttng-gpu doctor" says the same. */
#define GPU_HOW_TO_REBUILD "lttng-gpu-rebuild"

static inline int gpu_kernel_check(void)
{
	if (!strcmp(init_uts_ns.name.version, GPU_KERNEL_BUILD))
		return 0;
	pr_err("%s: built for the kernel \"%s\", but this one is \"%s\": build it again, as root: %s\n",
	       KBUILD_MODNAME, GPU_KERNEL_BUILD, init_uts_ns.name.version, GPU_HOW_TO_REBUILD);
	return -ENOEXEC;
}

#ifdef GPU_DRIVER_NAME

#include <modules/base/driver_facts.h>

/* Handlers then return at once. Written while no tracepoint of the driver can fire: it is loading, or the probe is. */
static bool gpu_driver_is_foreign __read_mostly;

static const struct gpu_fact gpu_driver_facts[] = { GPU_DRIVER_FACTS };

/* Why the driver that was loaded last is not read; empty when it is. "lttng-gpu doctor" shows it. */
static char gpu_driver_problem[160];

static int gpu_set_no_parameter(const char *value, const struct kernel_param *parameter)
{
	return -EPERM;
}

static int gpu_get_driver_problem(char *buffer, const struct kernel_param *parameter)
{
	return scnprintf(buffer, PAGE_SIZE, "%s\n", gpu_driver_problem);
}

static const struct kernel_param_ops gpu_driver_problem_ops = {
	.set = gpu_set_no_parameter,
	.get = gpu_get_driver_problem,
};
module_param_cb(driver_problem, &gpu_driver_problem_ops, NULL, 0444);
MODULE_PARM_DESC(driver_problem, "why the loaded driver is not read (read only)");

/*
 * Who is told of the driver. Notifiers of tracepoints hear of modules that have tracepoints, also of those that are there
 * already. A driver without any is known by the general ones, which are not told of what is there already: that its BTF is
 * there says it. btf_module_notify() was registered before either, so the kernel has the BTF from COMING until GOING.
 */
#ifndef GPU_DRIVER_HAS_TRACEPOINTS
#define GPU_DRIVER_HAS_TRACEPOINTS 1
#endif

#if GPU_DRIVER_HAS_TRACEPOINTS
#define gpu_driver_notify register_tracepoint_module_notifier
#define gpu_driver_notify_no_more unregister_tracepoint_module_notifier

static inline bool gpu_driver_is(void *data)
{
	return !strcmp(((struct tp_module *)data)->mod->name, GPU_DRIVER_NAME);
}

static inline bool gpu_driver_came_unseen(void)
{
	return false;
}
#else
#define gpu_driver_notify register_module_notifier
#define gpu_driver_notify_no_more unregister_module_notifier

static inline bool gpu_driver_is(void *data)
{
	return !strcmp(((struct module *)data)->name, GPU_DRIVER_NAME);
}

static inline bool gpu_driver_came_unseen(void)
{
	struct file *types = filp_open("/sys/kernel/btf/" GPU_DRIVER_NAME, O_RDONLY, 0);

	if (IS_ERR(types))
		return false;
	filp_close(types, NULL);
	return true;
}
#endif

static void gpu_driver_check(void)
{
	char problem[sizeof(gpu_driver_problem)] = "";

	gpu_driver_is_foreign = !gpu_driver_has_facts(GPU_DRIVER_NAME, gpu_driver_facts, ARRAY_SIZE(gpu_driver_facts), problem,
						      sizeof(problem));
	memcpy(gpu_driver_problem, problem, sizeof(problem));
	if (gpu_driver_is_foreign)
		pr_err("%s: not built for the %s that is loaded (%s): its events are not recorded; build the probe again, as root: %s\n",
		       KBUILD_MODNAME, GPU_DRIVER_NAME, problem, GPU_HOW_TO_REBUILD);
}

static int gpu_driver_loads(struct notifier_block *block, unsigned long state, void *data)
{
	if (state == MODULE_STATE_COMING && gpu_driver_is(data))
		gpu_driver_check();
	return NOTIFY_OK;
}

static struct notifier_block gpu_driver_notifier = { .notifier_call = gpu_driver_loads };

/* 0, or a negative errno when the probe must not be loaded. A driver that is loaded already is looked at, too. */
static inline int gpu_build_check_begin(void)
{
	int error = gpu_kernel_check() ?: gpu_driver_notify(&gpu_driver_notifier);

	if (!error && gpu_driver_came_unseen())
		gpu_driver_check();
	return error;
}

static inline void gpu_build_check_end(void)
{
	gpu_driver_notify_no_more(&gpu_driver_notifier);
}

#else /* the tracepoints are the kernel image's */

#define gpu_driver_is_foreign false

static inline int gpu_build_check_begin(void)
{
	return gpu_kernel_check();
}

static inline void gpu_build_check_end(void)
{
}

#endif
#endif
