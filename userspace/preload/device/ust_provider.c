/* SPDX-License-Identifier: MIT */
/*
 * The LTTng-UST provider lttng_gpu_devicetrace: the events, and a table through which the layer reaches them. It is loaded
 * by the layer, and only where LTTng-UST is installed.
 */
#define _LGPL_SOURCE /* NOLINT(bugprone-reserved-identifier) */
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "instrumentation/events/lttng_gpu_devicetrace.h"

#define DEFINE_WRITER(name)                                                                            \
	static void write_##name(const struct lttng_gpu_devicetrace_##name *record)                    \
	{                                                                                              \
		lttng_ust_do_tracepoint(lttng_gpu_devicetrace, name, record);                          \
	}
LTTNG_GPU_DEVICETRACE_EVENTS(DEFINE_WRITER)

static const struct lttng_gpu_devicetrace_provider provider = {
#define MEMBER(name_) .name_##_state = &lttng_ust_tracepoint_lttng_gpu_devicetrace___##name_.state, .name_ = write_##name_,
	LTTNG_GPU_DEVICETRACE_EVENTS(MEMBER)
};

__attribute__((visibility("default")))
const struct lttng_gpu_devicetrace_provider *lttng_gpu_devicetrace_provider(uint32_t records_version)
{
	return records_version == LTTNG_GPU_DEVICETRACE_RECORDS_VERSION ? &provider : NULL;
}
