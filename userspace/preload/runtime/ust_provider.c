/* SPDX-License-Identifier: MIT */
/*
 * The LTTng-UST provider of a layer: the events of its list, and a table through which the layer reaches them. It is built
 * once for each, LTTNG_GPU_PROVIDER is its name; the layer loads it, and only where LTTng-UST is installed.
 */
/* Lets LTTng's read lock be inlined, 5 ns per event. The name is LTTng's. */
#define _LGPL_SOURCE /* NOLINT(bugprone-reserved-identifier) */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "instrumentation/events/lttng_gpu_ust.h"

#include <dlfcn.h>

#undef gpu_enumeration
#undef gpu_api_enumeration
#undef gpu_event
#define gpu_enumeration(_name, ...)
#define gpu_api_enumeration(_name, ...)

/* The provider's name is a macro: one more step before LTTng's macros join it with others. */
#define gpu_write(_provider, _name) lttng_ust_do_tracepoint(_provider, _name, record)
#define gpu_event(_name, ...)                                                                          \
	static void write_##_name(const struct LTTNG_GPU_OF_PROVIDER(_name) *record)                   \
	{                                                                                              \
		gpu_write(LTTNG_GPU_PROVIDER, _name);                                                  \
	}
#include LTTNG_GPU_LIST
#undef gpu_event

static int follows_fork(void)
{
	void *library = dlopen("liblttng-ust-fork.so.1", RTLD_LAZY | RTLD_NOLOAD);

	if (library)
		dlclose(library);
	return library != NULL;
}

static const struct LTTNG_GPU_OF_PROVIDER(provider) provider = {
/* lttng_ust_tracepoint_PROVIDER___NAME */
#define gpu_event(_name, ...)                                                                          \
	._name##_state = &LTTNG_GPU_JOIN(lttng_ust_tracepoint_, LTTNG_GPU_OF_PROVIDER(__##_name)).state,  \
	._name = write_##_name,
#include LTTNG_GPU_LIST
	.follows_fork = follows_fork,
};

/*
 * The one function that the provider's library exports. Null when the layer was built with other records, and, where
 * only one copy of the layer may record (LTTNG_GPU_ONE_COPY), for the second one in a program.
 */
__attribute__((visibility("default")))
const void *lttng_gpu_provider(uint32_t records_version)
{
	if (records_version != LTTNG_GPU_OF_PROVIDER(records_version))
		return NULL;
#ifdef LTTNG_GPU_ONE_COPY
	static int is_taken;

	if (__atomic_exchange_n(&is_taken, 1, __ATOMIC_ACQ_REL))
		return NULL;
#endif
	return &provider;
}
