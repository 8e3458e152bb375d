// SPDX-License-Identifier: MIT
//
// When a wrapper has more to do than to jump to the next function: somebody records an event of it.
#pragma once

#include "provider.hpp"

namespace lttng_gpu::vulkan {

/// Set with the first frame that is numbered: from then on, swapchains that go must be seen.
extern int has_frames;

inline bool watches_calls()
{
    return any(events.call_state);
}

#define WATCHES(name, ...)                                                                         \
    inline bool watches_##name()                                                                   \
    {                                                                                              \
        return any(events.call_state, __VA_ARGS__);                                                \
    }

WATCHES(waits, events.call_begin_state, events.wait_state, events.command_times_state)
WATCHES(pipelines, events.call_begin_state, events.pipeline_state)
WATCHES(submit, events.submit_state, events.command_times_state)
WATCHES(submit2, events.submit_state, events.command_times_state)
WATCHES(bind_sparse, events.submit_state)
WATCHES(present, events.call_begin_state, events.frame_state, events.command_times_state)
WATCHES(destroy_swapchain, &has_frames)
WATCHES(name_object, events.object_name_state)
WATCHES(name_object_by_marker, events.object_name_state)
WATCHES(begin_label, events.label_begin_state)
WATCHES(end_label, events.label_end_state)
WATCHES(insert_label, events.label_insert_state)
#undef WATCHES

inline bool watches_commands()
{
    return any(events.frame_state);
}

inline bool watches_counts()
{
    return any(events.command_buffers_state);
}

/// Always: a session that begins later wants to know what the queues are.
inline bool watches_get_queue()
{
    return true;
}
inline bool watches_get_queue2()
{
    return true;
}

} // namespace lttng_gpu::vulkan
