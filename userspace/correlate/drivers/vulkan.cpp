// SPDX-License-Identifier: MIT
//
// Trace system lttng_gpu_vulkan: what the Vulkan layer records in the application
// (docs/vulkan-events.md). A submission around which the layer put timestamps is a command; any
// other is a call.
#include "common_events.hpp"

namespace lttng_gpu::model {
namespace {

constexpr std::array<std::string_view, 5> waiting_functions{"vkWaitForFences", "vkWaitSemaphores",
                                                            "vkWaitSemaphoresKHR",
                                                            "vkQueueWaitIdle", "vkDeviceWaitIdle"};
constexpr ApiTraits vulkan{*find_api("vulkan"), waiting_functions};

namespace submit {
/// Function and Begin are where they are in call_fields.
enum : std::size_t { Function, Begin, Queue, Submission, Timed, Result };
namespace layer = layers::vulkan::submit;
constexpr std::array names{layer::function,   layer::begin_ns, layer::queue,
                           layer::submission, layer::timed,    layer::result};
} // namespace submit

namespace queue {
enum : std::size_t { Handle, Device };
namespace layer = layers::vulkan::queue;
constexpr std::array names{layer::queue, layer::device};
} // namespace queue

namespace object_name {
enum : std::size_t { Handle, Type, Name };
namespace layer = layers::vulkan::object_name;
constexpr std::array names{layer::object, layer::type, layer::name};
} // namespace object_name

namespace queue_label {
enum : std::size_t { Queue, Name };
namespace layer = layers::vulkan::label_begin;
constexpr std::array names{layer::queue, layer::name};
constexpr std::array end_names{layers::vulkan::label_end::queue};
} // namespace queue_label

/// What the program submits to the queue next is of that group.
void on_label_begin(ApiEvents& state, const trace::RawEvent& event)
{
    const Actor actor = state.actor_of(event);
    const auto queue = find_unsigned(event, queue_label::Queue);
    if (actor.tid && queue) {
        ApiJobs& api = state.api();
        api.groups().push_on_queue(actor, thread_of(api.origins(), actor), *queue,
                                   find_text(event, queue_label::Name));
    }
}

void on_label_end(ApiEvents& state, const trace::RawEvent& event)
{
    const Actor actor = state.actor_of(event);
    const auto queue = find_unsigned(event, queue_label::Queue);
    if (actor.tid && queue) {
        ApiJobs& api = state.api();
        api.groups().pop_on_queue(actor, thread_of(api.origins(), actor), *queue);
    }
}

void note_submit(ApiEvents& state, const trace::RawEvent& event)
{
    const Actor actor = state.actor_of(event);
    const auto begin = find_moment(state, event, submit::Begin);
    if (actor.tid && begin) {
        ApiJobs& api = state.api();
        api.groups().on_submit(actor, thread_of(api.origins(), actor),
                               find_unsigned(event, submit::Queue).value_or(0), *begin, event.time);
    }
}

void on_submit(ApiEvents& state, const trace::RawEvent& event)
{
    note_submit(state, event);
    if (find_unsigned(event, submit::Timed).value_or(0) == 0) {
        on_call_in_other_event(state, event, vulkan, find_signed(event, submit::Result));
        return;
    }
    auto enqueued = find_enqueued(state, event, submit::Submission, submit::Queue);
    if (!enqueued) {
        return;
    }
    enqueued->api_call = find_call_name(state, event, vulkan).text;
    state.api().on_enqueue(process_of(vulkan, state, event, enqueued->actor), *enqueued);
}

void on_queue(ApiEvents& state, const trace::RawEvent& event)
{
    const auto handle = find_unsigned(event, queue::Handle);
    if (!handle) {
        return;
    }
    ApiQueue described;
    described.device = find_unsigned(event, queue::Device).value_or(0);
    state.api().objects(process_of(vulkan, state, event)).describe_queue(*handle, described);
}

/// Only what names of queues are for: the report names no other objects.
void on_object_name(ApiEvents& state, const trace::RawEvent& event)
{
    const auto handle = find_unsigned(event, object_name::Handle);
    if (handle && state.enumerations.label_of(event.fields[object_name::Type]) == "QUEUE") {
        state.api()
            .objects(process_of(vulkan, state, event))
            .name_queue(*handle, find_text(event, object_name::Name), state.strings);
    }
}

template <ApiEventHandler function> void as_vulkan(ApiEvents& state, const trace::RawEvent& event)
{
    function(state, event, vulkan);
}

constexpr std::array<EventSpec, 13> events{{
    {"lttng_gpu_vulkan:call", call_fields, handler<as_vulkan<on_call>>},
    {"lttng_gpu_vulkan:call_begin", call_begin_fields, handler<as_vulkan<on_call_begin>>},
    {"lttng_gpu_vulkan:submit", submit::names, handler<on_submit>},
    // These are the events of their calls.
    {"lttng_gpu_vulkan:wait", call_fields, handler<as_vulkan<on_call>>},
    {"lttng_gpu_vulkan:pipeline", call_fields, handler<as_vulkan<on_call>>},
    {"lttng_gpu_vulkan:command_times", command_times_fields, handler<as_vulkan<on_command_times>>},
    {"lttng_gpu_vulkan:commands_untimed", commands_untimed_fields,
     handler<as_vulkan<on_commands_untimed>>},
    {"lttng_gpu_vulkan:device", device_fields, handler<as_vulkan<on_device>>},
    {"lttng_gpu_vulkan:queue", queue::names, handler<on_queue>},
    {"lttng_gpu_vulkan:device_clock", device_clock_fields, handler<as_vulkan<on_device_clock>>},
    {"lttng_gpu_vulkan:label_begin", queue_label::names, handler<on_label_begin>},
    {"lttng_gpu_vulkan:label_end", queue_label::end_names, handler<on_label_end>},
    {"lttng_gpu_vulkan:object_name", object_name::names, handler<on_object_name>},
}};

} // namespace

EventFamily vulkan_family()
{
    return {"vulkan", events, {}, make_state<ApiEvents>, true};
}

} // namespace lttng_gpu::model
