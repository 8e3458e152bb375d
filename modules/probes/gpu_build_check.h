/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Refuses a kernel or a driver other than the one whose BTF the layouts were read from. The release that the module
 * loader compares is not enough: a distribution's update may keep it and still change private structures, and a driver can
 * be replaced by one that its developer or amdgpu-dkms has built. The kernel is known by what "uname -v" says and by its types; a driver is
 * asked for each fact that the probe was compiled with (modules/base/driver_facts.h), whenever one is loaded.
 *
 * scripts/build-modules writes GPU_KERNEL_BUILD and, for a probe of a module, GPU_DRIVER_NAME into the layout header, in
 * which btf-layout has written GPU_KERNEL_TYPES and GPU_DRIVER_FACTS.
 */
#ifndef LTTNG_GPU_BUILD_CHECK_H
#define LTTNG_GPU_BUILD_CHECK_H

#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/panic.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/utsname.h>

#include <modules/base/tap.h>

static inline int gpu_kernel_check(void)
{
	char problem[80];

	if (strcmp(init_uts_ns.name.version, GPU_KERNEL_BUILD)) {
		pr_err("%s: built for the kernel \"%s\", but this one is \"%s\": build it again, as root: %s\n",
		       KBUILD_MODNAME, GPU_KERNEL_BUILD, init_uts_ns.name.version, GPU_HOW_TO_REBUILD);
		return -ENOEXEC;
	}
	if (!gpu_kernel_has_types(GPU_KERNEL_TYPES, problem, sizeof(problem))) {
		pr_err("%s: not built for this kernel, although \"uname -v\" says so (%s): build it again, with the headers of this kernel, as root: %s\n",
		       KBUILD_MODNAME, problem, GPU_HOW_TO_REBUILD);
		return -ENOEXEC;
	}
	return 0;
}

/* A driver that has no tracepoints, of which the probe makes the events itself. */
#ifndef GPU_DRIVER_HAS_TRACEPOINTS
#define GPU_DRIVER_HAS_TRACEPOINTS 1
#endif

#ifdef GPU_DRIVER_NAME
static const struct gpu_fact gpu_driver_facts[] = { GPU_DRIVER_FACTS };
#endif

static struct gpu_source gpu_source = {
	.probe = KBUILD_MODNAME,
	.owner = THIS_MODULE,
#ifdef GPU_DRIVER_NAME
	.driver = GPU_DRIVER_NAME,
	.driver_has_tracepoints = GPU_DRIVER_HAS_TRACEPOINTS,
	.facts = gpu_driver_facts,
	.fact_count = ARRAY_SIZE(gpu_driver_facts),
#endif
};

static int gpu_set_no_parameter(const char *value, const struct kernel_param *parameter)
{
	return -EPERM;
}

static int gpu_get_driver_problem(char *buffer, const struct kernel_param *parameter)
{
	return scnprintf(buffer, PAGE_SIZE, "%s\n", gpu_source.problem);
}

static int gpu_get_strangers(char *buffer, const struct kernel_param *parameter)
{
	return gpu_source_list_strangers(&gpu_source, buffer, PAGE_SIZE);
}

/* "lttng-gpu doctor" shows both. */
static const struct kernel_param_ops gpu_driver_problem_ops = {
	.set = gpu_set_no_parameter,
	.get = gpu_get_driver_problem,
};
module_param_cb(driver_problem, &gpu_driver_problem_ops, NULL, 0444);
MODULE_PARM_DESC(driver_problem, "why the loaded driver is not read (read only)");

static const struct kernel_param_ops gpu_strangers_ops = {
	.set = gpu_set_no_parameter,
	.get = gpu_get_strangers,
};
module_param_cb(strangers, &gpu_strangers_ops, NULL, 0444);
MODULE_PARM_DESC(strangers, "other modules with tracepoints of the same names, which are not recorded (read only)");

#endif
