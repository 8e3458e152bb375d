/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a probe knows of a driver, held against the driver that is loaded.
 *
 * A driver can be built again, in the kernel's tree or outside of it, with all that names it unchanged: release,
 * MODULE_VERSION, uname -v. Its BTF says where its fields are then, too. So a probe carries each fact that it was compiled
 * with, as btf-layout found it in the driver's BTF, and asks for it in the BTF of the loaded one. A build that changes
 * none of them is read as before.
 */
#ifndef LTTNG_GPU_DRIVER_FACTS_H
#define LTTNG_GPU_DRIVER_FACTS_H

#include <linux/types.h>

enum gpu_fact_kind {
	GPU_FACT_MEMBER,	/* name.path has this type and is at this byte */
	GPU_FACT_SIZE,		/* the structure name has so many bytes */
	GPU_FACT_CONSTANT,	/* the enumerator name has this value */
	GPU_FACT_FUNCTION,	/* name is one function, with these arguments */
	GPU_FACT_TRACEPOINT,	/* handlers of the tracepoint name get these arguments */
	GPU_FACT_NO_TRACEPOINT, /* there is no tracepoint name: the probe makes events of this name itself */
};

/* Of what the driver's own BTF defines. What it takes from the kernel image is known by the kernel's build. */
struct gpu_fact {
	enum gpu_fact_kind kind;
	const char *name;
	const char *path; /* members joined by '.' */
	const char *type; /* or arguments, as modules/layout/kernel_types.hpp spells them */
	s64 value;
};

/*
 * driver is the name of a module that is loaded or COMING, as in /proc/modules. Returns true when all facts hold of it;
 * else problem says which does not, or why that is unknown, cut to its size. May sleep; reads /sys/kernel/btf.
 */
bool gpu_driver_has_facts(const char *driver, const struct gpu_fact *facts, size_t count, char *problem, size_t size);

#endif
