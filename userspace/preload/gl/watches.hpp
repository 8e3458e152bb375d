// SPDX-License-Identifier: MIT
//
// When a wrapper has more to do than to jump to the next function: somebody records an event of it.
#pragma once

#include "provider.hpp"

namespace lttng_gpu::gl {

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
        return any(__VA_ARGS__);                                                                   \
    }

WATCHES(dispatches, events.call_state, events.dispatch_state)
WATCHES(uploads, events.upload_state)
WATCHES(blits, events.call_state, events.blit_state)
WATCHES(fence_creates, events.call_state, events.fence_create_state)
WATCHES(fence_waits, events.call_state, events.call_begin_state, events.fence_wait_state)
WATCHES(query_results, events.call_state, events.call_begin_state, events.query_result_state)
WATCHES(labels, events.label_state)
WATCHES(group_pushes, events.debug_group_push_state)
WATCHES(group_pops, events.debug_group_pop_state)
WATCHES(markers, events.marker_state)
/// Frames are counted whether they are recorded or not, so that a session that begins later has
/// their right numbers.
WATCHES(frames, &is_attached)
#undef WATCHES

/// Contexts, drawables and what functions are found: a session that begins later needs them.
inline bool watches_hooks()
{
    return true;
}

} // namespace lttng_gpu::gl
