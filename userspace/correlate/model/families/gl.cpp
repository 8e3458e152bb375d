// SPDX-License-Identifier: MIT
//
// Trace system lttng_gpu_gl: what the OpenGL layer records in the application
// (docs/gl-events.md). OpenGL has no commands with names of their own: what is known of a
// job of the kernel is the call in which it was made. The events of what a call did stand
// in place of the event of the call.
#include "common_events.hpp"

namespace lttng_gpu::model {
namespace {

/// Swaps are not here: most of them only wait when there are too many frames under way.
constexpr std::array<std::string_view, 10> waiting_functions{
    "glFinish",           "glClientWaitSync",  "glClientWaitSyncAPPLE", "glFinishFenceNV",
    "glFinishFenceAPPLE", "eglClientWaitSync", "eglClientWaitSyncKHR",  "eglClientWaitSyncNV",
    "eglWaitClient",      "eglWaitGL"};
constexpr ApiTraits gl{*find_api("gl"), waiting_functions};

template <ApiEventHandler function> void as_gl(ApiEvents& state, const trace::RawEvent& event)
{
    function(state, event, gl);
}

constexpr EventSpec call_event(std::string_view name)
{
    return {name, call_fields, handler<as_gl<on_call>>};
}

constexpr std::array<EventSpec, 11> events{{
    call_event("lttng_gpu_gl:call"),
    {"lttng_gpu_gl:call_begin", call_begin_fields, handler<as_gl<on_call_begin>>},
    call_event("lttng_gpu_gl:fence_create"),
    call_event("lttng_gpu_gl:fence_wait"),
    call_event("lttng_gpu_gl:query_result"),
    call_event("lttng_gpu_gl:context_create"),
    call_event("lttng_gpu_gl:context_current"),
    call_event("lttng_gpu_gl:context_destroy"),
    call_event("lttng_gpu_gl:dispatch"),
    call_event("lttng_gpu_gl:upload"),
    call_event("lttng_gpu_gl:blit"),
}};

} // namespace

EventFamily gl_family()
{
    return {"gl", events, {}, make_state<ApiEvents>, true};
}

} // namespace lttng_gpu::model
