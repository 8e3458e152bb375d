// SPDX-License-Identifier: MIT
//
// The events that the application has: which command each stands for, for wait lists, and whether
// the layer refers to it too, for the reference count that the application reads.
#pragma once

#include "opencl_headers.hpp"
#include "queues.hpp"

namespace lttng_gpu::opencl {

struct KnownEvent {
    uint64_t command;
    Queue* queue;        ///< null of user events
    uint32_t references; ///< the application's
    bool is_pending;     ///< the layer has a reference too
    /// The application gets no times of it. Outlives the queue's record.
    bool is_profiled_by_layer;
    uint64_t enqueued_before; ///< see Command
};

/// False without memory.
bool add_event(cl_event event, const KnownEvent& known);
/// Whether it is known; `known` is a copy.
bool find_event(cl_event event, KnownEvent& known);
void event_was_retained(cl_event event);
void event_was_released(cl_event event);
/// The layer is about to drop its reference.
void event_is_reported(cl_event event);
/// 0 if it is not known.
uint64_t command_of(cl_event event);
/// A number for a command: ascending, never 0.
uint64_t next_command();
/// Commands up to this number have been enqueued before now.
uint64_t newest_command();

void forget_events();

void lock_events();
void unlock_events();

} // namespace lttng_gpu::opencl
