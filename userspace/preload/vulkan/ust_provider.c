/* SPDX-License-Identifier: MIT */
/*
 * The LTTng-UST provider lttng_gpu_vulkan: the events, and a table through which the layer reaches them. It is loaded by
 * the layer, and only where LTTng-UST is installed.
 */
/* Lets LTTng's read lock be inlined, 5 ns per event. The name is LTTng's. */
#define _LGPL_SOURCE /* NOLINT(bugprone-reserved-identifier) */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "instrumentation/events/lttng_gpu_vulkan.h"

#include <dlfcn.h>

#define DEFINE_WRITER(name)                                                                            \
	static void write_##name(const struct lttng_gpu_vulkan_##name *record)                         \
	{                                                                                              \
		lttng_ust_do_tracepoint(lttng_gpu_vulkan, name, record);                               \
	}
LTTNG_GPU_VULKAN_EVENTS(DEFINE_WRITER)

static int follows_fork(void)
{
	void *library = dlopen("liblttng-ust-fork.so.1", RTLD_LAZY | RTLD_NOLOAD);

	if (library)
		dlclose(library);
	return library != NULL;
}

static const struct lttng_gpu_vulkan_provider provider = {
#define MEMBER(name_) .name_##_state = &lttng_ust_tracepoint_lttng_gpu_vulkan___##name_.state, .name_ = write_##name_,
	LTTNG_GPU_VULKAN_EVENTS(MEMBER)
	.follows_fork = follows_fork,
};

/* A program may find the layer by two manifests, of an installed one and of one in a build folder. */
__attribute__((visibility("default")))
const struct lttng_gpu_vulkan_provider *lttng_gpu_vulkan_provider(uint32_t records_version)
{
	static int is_taken;

	if (records_version != LTTNG_GPU_VULKAN_RECORDS_VERSION)
		return NULL;
	return __atomic_exchange_n(&is_taken, 1, __ATOMIC_ACQ_REL) ? NULL : &provider;
}
