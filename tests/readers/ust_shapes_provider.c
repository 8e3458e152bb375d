/* SPDX-License-Identifier: MIT */
/*
 * The probes of ust_shapes_provider.h. In C, because LTTng-UST 2.13's macros do not
 * compile negative values of enumerations as C++.
 */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tests/readers/ust_shapes_provider.h"
