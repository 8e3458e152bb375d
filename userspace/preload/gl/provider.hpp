// SPDX-License-Identifier: MIT
//
// The records of OpenGL's events, and which of them somebody records now.
#pragma once

#define LTTNG_GPU_PROVIDER lttng_gpu_gl
#include "instrumentation/events/lttng_gpu_records.h"
#include "runtime/provider.hpp"

namespace lttng_gpu::gl {

extern lttng_gpu_gl_provider events;
/// Not 0: there is a provider.
extern int is_attached;

void attach_provider_now();

/// Loads the provider, once; called where a program begins to use OpenGL. This library is in each
/// program that is recorded, also in those that have no OpenGL.
inline void attach_provider()
{
    extern bool is_attach_done;
    if (!__atomic_load_n(&is_attach_done, __ATOMIC_RELAXED))
        attach_provider_now();
}

} // namespace lttng_gpu::gl
