// SPDX-License-Identifier: MIT
//
// Trace system lttng_gpu_gl: what the OpenGL layer records in the application
// (docs/gl-events.md). OpenGL has no commands with names of their own: what is known of a
// job of the kernel is the call in which it was made. The events of what a call did stand
// in place of the event of the call. Where the layer asked when the GPU did a frame, a dispatch or
// a blit, that is a command; the event of its call follows.
#include "common_events.hpp"

#include <fmt/format.h>

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
namespace layer = layers::gl::command;
constexpr std::array names{layer::function, layer::begin_ns, layer::queued_ns,
                           layer::queue,    layer::command,  layer::times};
} // namespace command

namespace queue {
enum : std::size_t { Handle, Device, Context };
namespace layer = layers::gl::queue;
constexpr std::array names{layer::queue, layer::device, layer::context};
} // namespace queue

namespace query {
enum : std::size_t { Function, Begin, Name, Query };
namespace layer = layers::gl::query_result;
constexpr std::array names{layer::function, layer::begin_ns, layer::pname, layer::query};
} // namespace query

namespace group {
enum : std::size_t { Name };
constexpr std::array push_names{layers::gl::debug_group_push::name};
constexpr std::array pop_names{layers::gl::debug_group_pop::context};
} // namespace group

namespace current {
/// The first three are those of call_fields: the event is that of the call.
enum : std::size_t { Function, Begin, Result, Context };
namespace layer = layers::gl::context_current;
constexpr std::array names{layer::function, layer::begin_ns, layer::result, layer::context};
} // namespace current

namespace label {
enum : std::size_t { Object, Kind, Name };
namespace layer = layers::gl::label;
constexpr std::array names{layer::object, layer::kind, layer::name};
constexpr std::uint64_t sync = 0;
constexpr std::uint64_t query = 0x82E3; // GL_QUERY
} // namespace label

namespace fence {
/// The first three are those of call_fields: the event is that of the call.
enum : std::size_t { Function, Begin, Result, Sync };
namespace layer = layers::gl::fence_wait;
constexpr std::array names{layer::function, layer::begin_ns, layer::result, layer::sync};
} // namespace fence

/// The names that a program gave to objects, and those of calls with them.
class Gl final : public ApiEvents {
public:
    using ApiEvents::ApiEvents;

    void set_label(const ApiProcess& process, std::uint64_t kind, std::uint64_t object,
                   std::string_view name)
    {
        if (name.empty()) {
            m_labels.erase({process, kind, object});
        } else if (m_labels.size() < most_labels || m_labels.contains({process, kind, object})) {
            m_labels[{process, kind, object}] = std::string{name};
        }
    }
    /// glClientWaitSync(shadow); nothing where the object has no name.
    StringId call_with_label(const ApiProcess& process, std::uint64_t kind, std::uint64_t object,
                             StringId function)
    {
        if (m_labels.empty() || function == StringId{}) {
            return {};
        }
        const auto found = m_labels.find({process, kind, object});
        return found == m_labels.end()
                   ? StringId{}
                   : texts.of(fmt::format("{}({})", strings.at(function), found->second));
    }

private:
    static constexpr std::size_t most_labels = 16384;

    std::map<std::tuple<ApiProcess, std::uint64_t, std::uint64_t>, std::string> m_labels;
};

/// A frame is queued by its first call that gives work. Layers of an earlier kind told of the end
/// of the frame before it instead.
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
    const ApiProcess process = process_of(gl, state, event, enqueued->actor);
    const std::uint64_t handle = enqueued->queue;
    if (state.api().objects(process).queue(handle).context == handle) { // of frames
        enqueued->is_queued_known =
            enqueued->is_timed && state.api().is_in_frame(process, handle, *enqueued->queued);
    }
    state.api().on_enqueue(process, *enqueued);
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

/// With the name that the program gave to the object which a field of the event names.
void on_call_of_object(Gl& state, const trace::RawEvent& event, std::uint64_t kind,
                       std::size_t field, std::optional<std::int64_t> result, bool is_poll)
{
    const StringId name = state.call_with_label(process_of(gl, state, event), kind,
                                                find_unsigned(event, field).value_or(0),
                                                find_call_name(state, event, gl).text);
    on_call_in_other_event(state, event, gl, result, is_poll, nullptr, name);
}

/// Mesa hands on what was drawn when the result is asked for, and not whenever it is asked whether
/// there is one.
void on_query_result(Gl& state, const trace::RawEvent& event)
{
    constexpr std::uint64_t result = 0x8866; // GL_QUERY_RESULT
    const bool is_poll = find_unsigned(event, query::Name).value_or(result) != result;
    on_call_of_object(state, event, label::query, query::Query, {}, is_poll);
}

/// A handle may be that of a sync object which had a name, and is no more.
void on_fence_create(Gl& state, const trace::RawEvent& event)
{
    if (const auto sync = find_unsigned(event, fence::Sync)) {
        state.set_label(process_of(gl, state, event), label::sync, *sync, {});
    }
    on_call(state, event, gl);
}

void on_fence_wait(Gl& state, const trace::RawEvent& event)
{
    on_call_of_object(state, event, label::sync, fence::Sync, find_signed(event, fence::Result),
                      false);
}

void on_label(Gl& state, const trace::RawEvent& event)
{
    const auto object = find_unsigned(event, label::Object);
    const auto kind = find_unsigned(event, label::Kind);
    if (object && kind) {
        state.set_label(process_of(gl, state, event), *kind, *object,
                        find_text(event, label::Name));
    }
}

void on_group_push(Gl& state, const trace::RawEvent& event)
{
    const Actor actor = state.actor_of(event);
    if (actor.tid) {
        ApiJobs& api = state.api();
        api.groups().push(actor, thread_of(api.origins(), actor), event.time,
                          find_text(event, group::Name));
    }
}

void on_group_pop(Gl& state, const trace::RawEvent& event)
{
    const Actor actor = state.actor_of(event);
    if (actor.tid) {
        ApiJobs& api = state.api();
        api.groups().pop(actor, thread_of(api.origins(), actor), event.time);
    }
}

void on_context_current(Gl& state, const trace::RawEvent& event)
{
    const Actor actor = state.actor_of(event);
    if (actor.tid && find_signed(event, current::Result).value_or(0) != 0) {
        ApiJobs& api = state.api();
        api.groups().on_current(actor, thread_of(api.origins(), actor), event.time,
                                find_unsigned(event, current::Context).value_or(0));
    }
    on_call(state, event, gl);
}

template <ApiEventHandler function> void as_gl(ApiEvents& state, const trace::RawEvent& event)
{
    function(state, event, gl);
}

constexpr EventSpec call_event(std::string_view name)
{
    return {name, call_fields, handler<as_gl<on_call>>};
}

constexpr std::array<EventSpec, 20> events{{
    call_event("lttng_gpu_gl:call"),
    {"lttng_gpu_gl:call_begin", call_begin_fields, handler<as_gl<on_call_begin>>},
    {"lttng_gpu_gl:fence_create", fence::names, handler<on_fence_create>},
    {"lttng_gpu_gl:fence_wait", fence::names, handler<on_fence_wait>},
    {"lttng_gpu_gl:label", label::names, handler<on_label>},
    {"lttng_gpu_gl:debug_group_push", group::push_names, handler<on_group_push>},
    {"lttng_gpu_gl:debug_group_pop", group::pop_names, handler<on_group_pop>},
    {"lttng_gpu_gl:query_result", query::names, handler<on_query_result>},
    call_event("lttng_gpu_gl:context_create"),
    {"lttng_gpu_gl:context_current", current::names, handler<on_context_current>},
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
    return {"gl", events, {}, make_state<Gl>, true};
}

} // namespace lttng_gpu::model
