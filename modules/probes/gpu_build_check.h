/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Refuses a kernel or a driver other than the one whose BTF the layouts were read from. The release that the module
 * loader compares is not enough: a distribution's update may keep it and still change private structures, and an
 * out-of-tree driver (amdgpu-dkms, for one) replaces one of the kernel's under its name.
 *
 * scripts/build-modules writes GPU_KERNEL_BUILD (what "uname -v" says) and, for a probe of a module, GPU_DRIVER_NAME,
 * GPU_DRIVER_VERSION (its MODULE_VERSION or "") and GPU_DRIVER_INTREE (0 or 1) into the layout header.
 */
#ifndef LTTNG_GPU_BUILD_CHECK_H
#define LTTNG_GPU_BUILD_CHECK_H

#include <linux/module.h>
#include <linux/panic.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/utsname.h>

static inline int gpu_kernel_check(void)
{
	if (!strcmp(init_uts_ns.name.version, GPU_KERNEL_BUILD))
		return 0;
	pr_err("%s: built for the kernel \"%s\", but this one is \"%s\": rebuild it (make modules, or dkms build --force)\n",
	       KBUILD_MODNAME, GPU_KERNEL_BUILD, init_uts_ns.name.version);
	return -ENOEXEC;
}

#ifdef GPU_DRIVER_NAME

/* Handlers then return at once. Written while no tracepoint of the driver can fire: it is loading, or the probe is. */
static bool gpu_driver_is_foreign __read_mostly;

static int gpu_driver_loads(struct notifier_block *block, unsigned long state, void *data)
{
	const struct module *driver = ((struct tp_module *)data)->mod;
	const char *version = driver->version ?: "";
	bool is_intree = !test_bit(TAINT_OOT_MODULE, &driver->taints);

	if (state != MODULE_STATE_COMING || strcmp(driver->name, GPU_DRIVER_NAME))
		return NOTIFY_OK;
	gpu_driver_is_foreign = is_intree != GPU_DRIVER_INTREE || strcmp(version, GPU_DRIVER_VERSION);
	if (gpu_driver_is_foreign)
		pr_err("%s: built for %s %s (%s), but the one loaded is %s (%s): its events are not recorded, rebuild the probe\n",
		       KBUILD_MODNAME, GPU_DRIVER_NAME, GPU_DRIVER_VERSION,
		       GPU_DRIVER_INTREE ? "the kernel's own" : "out of tree", version,
		       is_intree ? "the kernel's own" : "out of tree");
	return NOTIFY_OK;
}

static struct notifier_block gpu_driver_notifier = { .notifier_call = gpu_driver_loads };

/* 0, or a negative errno when the probe must not be loaded. A driver that is loaded already is looked at, too. */
static inline int gpu_build_check_begin(void)
{
	return gpu_kernel_check() ?: register_tracepoint_module_notifier(&gpu_driver_notifier);
}

static inline void gpu_build_check_end(void)
{
	unregister_tracepoint_module_notifier(&gpu_driver_notifier);
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
