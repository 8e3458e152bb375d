/* SPDX-License-Identifier: MIT */
/* Events of the program that dies while it writes one; their names are among those that record asks
 * for. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER lttng_gpu_dying

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tests/record/dying/provider.h"

#if !defined(LTTNG_GPU_DYING_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LTTNG_GPU_DYING_PROVIDER_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(lttng_gpu_dying, event,
                           LTTNG_UST_TP_ARGS(unsigned int, number, const char*, bytes),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(unsigned int, number, number)
                                                   lttng_ust_field_array(char, bytes, bytes, 64)))

#endif

#include <lttng/tracepoint-event.h>
