/* SPDX-License-Identifier: MIT */
/*
 * The LTTng-UST provider lttng_gpu_gl: the events, and a table through which the layer reaches them. It is loaded by
 * the layer, and only where LTTng-UST is installed.
 */
/* Lets LTTng's read lock be inlined, 5 ns per event. The name is LTTng's. */
#define _LGPL_SOURCE /* NOLINT(bugprone-reserved-identifier) */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "instrumentation/events/lttng_gpu_gl.h"

#include <dlfcn.h>

#define DEFINE_WRITER(name)                                                                            \
	static void write_##name(const struct lttng_gpu_gl_##name *record)                         \
	{                                                                                              \
		lttng_ust_do_tracepoint(lttng_gpu_gl, name, record);                               \
	}
LTTNG_GPU_GL_EVENTS(DEFINE_WRITER)

static int follows_fork(void)
{
	void *library = dlopen("liblttng-ust-fork.so.1", RTLD_LAZY | RTLD_NOLOAD);

	if (library)
		dlclose(library);
	return library != NULL;
}

static const struct lttng_gpu_gl_provider provider = {
#define MEMBER(name_) .name_##_state = &lttng_ust_tracepoint_lttng_gpu_gl___##name_.state, .name_ = write_##name_,
	LTTNG_GPU_GL_EVENTS(MEMBER)
	.follows_fork = follows_fork,
};

__attribute__((visibility("default")))
const struct lttng_gpu_gl_provider *lttng_gpu_gl_provider(uint32_t records_version)
{
	return records_version == LTTNG_GPU_GL_RECORDS_VERSION ? &provider : NULL;
}
