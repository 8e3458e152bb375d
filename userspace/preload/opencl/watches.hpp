// SPDX-License-Identifier: MIT
//
// When a wrapper has more to do than to jump to the next function: somebody records an event of it,
// or the layer has changed or noted something that this function could tell or end.
#pragma once

#include "provider.hpp"

namespace lttng_gpu::opencl {

/// Set with the first object that the layer takes notice of, and never cleared: objects outlive
/// sessions.
extern int tracking;

inline bool watches_calls()
{
    return any(events.call_state);
}

inline bool watches_blocking_calls()
{
    return any(events.call_state, events.call_begin_state);
}

#define WATCHES(name, ...)                                                                         \
    inline bool watches_##name()                                                                   \
    {                                                                                              \
        return any(events.call_state, __VA_ARGS__);                                                \
    }

WATCHES(kernels, events.kernel_enqueue_state, events.command_times_state, events.call_begin_state)
WATCHES(transfers, events.transfer_enqueue_state, events.command_times_state,
        events.call_begin_state)
WATCHES(commands, events.command_enqueue_state, events.command_times_state, events.call_begin_state)
WATCHES(command_buffers, events.command_buffer_enqueue_state, events.command_times_state,
        events.call_begin_state)

WATCHES(memory_creation, events.memory_create_state)
WATCHES(sampler_creation, events.sampler_create_state)
WATCHES(kernel_creation, events.kernel_create_state, &tracking)
WATCHES(source_program_creation, events.program_create_state)
WATCHES(il_program_creation, events.program_create_state)
WATCHES(built_in_program_creation, events.program_create_state)
WATCHES(user_event_creation, events.user_event_create_state, &tracking)
WATCHES(foreign_event_creation, &tracking)
WATCHES(retains, events.object_retain_state, &tracking)
WATCHES(releases, events.object_release_state, events.call_begin_state, &tracking)

WATCHES(create_queue, events.queue_state, events.command_times_state, &tracking)
WATCHES(create_queue_with_properties, events.queue_state, events.command_times_state, &tracking)
WATCHES(set_queue_property, &tracking)
WATCHES(queue_info, &tracking)
WATCHES(event_info, &tracking)
WATCHES(profiling_info, &tracking)
WATCHES(wait_for_events, events.wait_state, events.call_begin_state, &tracking)
WATCHES(flush, events.call_begin_state, &tracking)
WATCHES(finish, events.wait_state, events.call_begin_state, &tracking)
WATCHES(create_context, events.context_create_state)
WATCHES(create_context_from_type, events.context_create_state)
WATCHES(create_program_with_binary, events.program_create_state)
WATCHES(create_kernels, events.kernel_create_state, &tracking)
WATCHES(set_user_event_status, events.user_event_status_state)
WATCHES(build_program, events.program_build_state, events.call_begin_state)
WATCHES(link_program, events.program_build_state, events.program_create_state,
        events.call_begin_state)
WATCHES(svm_alloc, events.svm_alloc_state)
WATCHES(svm_free, events.svm_free_state)
WATCHES(usm_alloc_host, events.svm_alloc_state)
WATCHES(usm_alloc_device, events.svm_alloc_state)
WATCHES(usm_free, events.svm_free_state, events.call_begin_state)
#undef WATCHES

/// Always: a session that begins later sees the functions that were asked for, and the command
/// buffers that were filled, now.
inline bool watches_extension_address()
{
    return true;
}
inline bool watches_create_command_buffer()
{
    return true;
}
inline bool watches_fills()
{
    return true;
}
inline bool watches_extension_address_for_platform()
{
    return true;
}

} // namespace lttng_gpu::opencl
