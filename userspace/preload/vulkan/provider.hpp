// SPDX-License-Identifier: MIT
//
// The layer's side of the LTTng provider: which events somebody records now, and the functions that
// write them. Before the provider is attached, and for ever where LTTng is not installed, no event
// is enabled.
#pragma once

#include "instrumentation/events/lttng_gpu_vulkan_records.h"
#include "runtime/session_check.hpp"

namespace lttng_gpu::vulkan {

extern lttng_gpu_vulkan_provider events;

/// Loads the provider, once; called before the first call that could be recorded. A program that
/// runs with more privileges than its user has is left alone.
void attach_provider();
/// Whether there is one.
bool is_attached();
/// Nothing is recorded any more.
void detach_provider();

} // namespace lttng_gpu::vulkan

#define EVENT_ENABLED(name) (::lttng_gpu::is_enabled(::lttng_gpu::vulkan::events.name##_state))
