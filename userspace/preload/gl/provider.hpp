// SPDX-License-Identifier: MIT
//
// The layer's side of the LTTng provider: which events somebody records now, and the functions that
// write them. Before the provider is attached, and for ever where LTTng is not installed, no event
// is enabled.
#pragma once

#include "instrumentation/events/lttng_gpu_gl_records.h"
#include "runtime/session_check.hpp"

namespace lttng_gpu::gl {

extern lttng_gpu_gl_provider events;
/// Not 0: there is a provider.
extern int is_attached;

void attach_provider_now();

/// Loads the provider, once; called where a program begins to use OpenGL. This library is in each
/// program that is recorded, also in those that have no OpenGL. A program that runs with more
/// privileges than its user has is left alone.
inline void attach_provider()
{
    extern bool is_attach_done;
    if (!__atomic_load_n(&is_attach_done, __ATOMIC_RELAXED))
        attach_provider_now();
}

} // namespace lttng_gpu::gl

#define EVENT_ENABLED(name) (::lttng_gpu::is_enabled(::lttng_gpu::gl::events.name##_state))
