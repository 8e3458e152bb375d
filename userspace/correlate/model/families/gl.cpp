// SPDX-License-Identifier: MIT
//
// Trace system lttng_gpu_gl: what the OpenGL layer records in the application
// (docs/gl-events.md). OpenGL has no commands with names of their own: what is known of a
// job of the kernel is the call in which it was made. The events of what a call did stand
// in place of the event of the call. Where the layer asked when the GPU did a frame, a dispatch or
// a blit, that is a command; the event of its call follows.
#include "common_events.hpp"

namespace lttng_gpu::model {
namespace {

/// Swaps are not here: most of them only wait when there are too many frames under way.
constexpr std::array<std::string_view, 10> waiting_functions{
    "glFinish",           "glClientWaitSync",  "glClientWaitSyncAPPLE", "glFinishFenceNV",
    "glFinishFenceAPPLE", "eglClientWaitSync", "eglClientWaitSyncKHR",  "eglClientWaitSyncNV",
    "eglWaitClient",      "eglWaitGL"};
constexpr ApiTraits gl{*find_api("gl"), waiting_functions};

namespace command {
/// Function and Begin are where they are in call_fields.
enum : std::size_t { Function, Begin, Queued, Queue, Number, Times };
constexpr std::array<std::string_view, 6> names{"function", "begin_ns", "queued_ns",
                                                "queue",    "command",  "times"};
} // namespace command

namespace queue {
enum : std::size_t { Handle, Device, Context };
constexpr std::array<std::string_view, 3> names{"queue", "device", "context"};
} // namespace queue

namespace query {
enum : std::size_t { Function, Begin, Name };
constexpr std::array<std::string_view, 3> names{"function", "begin_ns", "pname"};
} // namespace query

/// A frame is queued when the one before it has ended: then it may begin.
void on_command(ApiEvents& state, const trace::RawEvent& event)
{
    auto enqueued = find_enqueued(state, event, command::Number, command::Queue);
    if (!enqueued) {
        return;
    }
    enqueued->api_call = find_call_name(state, event, gl).text;
    const auto queued = find_moment(state, event, command::Queued);
    enqueued->queued =
        std::min(queued ? *queued : enqueued->begin.value_or(event.time), event.time);
    // The driver gives it to the device when it likes, but has been told all of it by then.
    enqueued->submitted = event.time;
    enqueued->is_timed = state.enumerations.label_of(event.fields[command::Times]) == "expected";
    state.api().on_enqueue(process_of(gl, state, event, enqueued->actor), *enqueued);
}

void on_queue(ApiEvents& state, const trace::RawEvent& event)
{
    const auto handle = find_unsigned(event, queue::Handle);
    if (!handle) {
        return;
    }
    ApiQueue described;
    described.device = find_unsigned(event, queue::Device).value_or(0);
    described.context = find_unsigned(event, queue::Context).value_or(0);
    state.api().objects(process_of(gl, state, event)).describe_queue(*handle, described);
}

/// Mesa hands on what was drawn when the result is asked for, and not whenever it is asked whether
/// there is one.
void on_query_result(ApiEvents& state, const trace::RawEvent& event)
{
    constexpr std::uint64_t result = 0x8866; // GL_QUERY_RESULT
    const bool is_poll = find_unsigned(event, query::Name).value_or(result) != result;
    on_call_in_other_event(state, event, gl, {}, is_poll);
}

template <ApiEventHandler function> void as_gl(ApiEvents& state, const trace::RawEvent& event)
{
    function(state, event, gl);
}

constexpr EventSpec call_event(std::string_view name)
{
    return {name, call_fields, handler<as_gl<on_call>>};
}

constexpr std::array<EventSpec, 17> events{{
    call_event("lttng_gpu_gl:call"),
    {"lttng_gpu_gl:call_begin", call_begin_fields, handler<as_gl<on_call_begin>>},
    call_event("lttng_gpu_gl:fence_create"),
    call_event("lttng_gpu_gl:fence_wait"),
    {"lttng_gpu_gl:query_result", query::names, handler<on_query_result>},
    call_event("lttng_gpu_gl:context_create"),
    call_event("lttng_gpu_gl:context_current"),
    call_event("lttng_gpu_gl:context_destroy"),
    call_event("lttng_gpu_gl:dispatch"),
    call_event("lttng_gpu_gl:upload"),
    call_event("lttng_gpu_gl:blit"),
    {"lttng_gpu_gl:command", command::names, handler<on_command>},
    {"lttng_gpu_gl:command_times", command_times_fields, handler<as_gl<on_command_times>>},
    {"lttng_gpu_gl:commands_untimed", commands_untimed_fields, handler<as_gl<on_commands_untimed>>},
    {"lttng_gpu_gl:device", device_fields, handler<as_gl<on_device>>},
    {"lttng_gpu_gl:queue", queue::names, handler<on_queue>},
    {"lttng_gpu_gl:device_clock", device_clock_fields, handler<as_gl<on_device_clock>>},
}};

} // namespace

EventFamily gl_family()
{
    return {"gl", events, {}, make_state<ApiEvents>, true};
}

} // namespace lttng_gpu::model
