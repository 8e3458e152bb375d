// SPDX-License-Identifier: MIT
//
// Trace system lttng_gpu_opencl: what the OpenCL layer records in the application
// (docs/opencl-events.md). Here are the events that only OpenCL has: its commands and
// objects.
#include "common_events.hpp"

#include <fmt/format.h>

namespace lttng_gpu::model {
namespace {

constexpr std::array<std::string_view, 2> waiting_functions{"clWaitForEvents", "clFinish"};
constexpr ApiTraits opencl{*find_api("opencl"), waiting_functions};

namespace enqueue {
/// Function and Begin are where they are in call_fields.
enum : std::size_t {
    Function,
    Begin,
    Command,
    Queue,
    Type,
    Blocking,
    WaitsFor,
    Name,
    Commands,
    Bytes
};
namespace layer = layers::opencl::kernel_enqueue;
constexpr std::array names{layer::function,
                           layer::begin_ns,
                           layer::command,
                           layer::queue,
                           layer::type,
                           layer::blocking,
                           layer::waits_for,
                           layer::name,
                           layers::opencl::command_buffer_enqueue::commands,
                           layers::opencl::transfer_enqueue::bytes};
} // namespace enqueue

namespace queue {
enum : std::size_t { Handle, Context, Device, Properties, Profiling };
namespace layer = layers::opencl::queue;
constexpr std::array names{layer::queue, layer::context, layer::device, layer::properties,
                           layer::profiling};
} // namespace queue

namespace object {
/// The first two are where they are in call_fields: the event is that of the call.
enum : std::size_t { Function, Begin, Handle, Kind, Result };
namespace layer = layers::opencl::object_retain;
constexpr std::array names{layer::function, layer::begin_ns, layer::object, layer::kind,
                           layer::result};
} // namespace object

namespace wait {
/// The first three are those of call_fields: the event is that of the call.
enum : std::size_t { Function, Begin, Result, Queue, Newest, WaitsFor };
namespace layer = layers::opencl::wait;
constexpr std::array names{layer::function, layer::begin_ns, layer::result,
                           layer::queue,    layer::newest,   layer::waits_for};
} // namespace wait

constexpr std::array status_names{layers::opencl::user_event_status::command,
                                  layers::opencl::user_event_status::status};

StringId call_name(ApiEvents& state, const trace::RawEvent& event)
{
    const StringId function = find_call_name(state, event, opencl).text;
    const std::string_view kernel = find_text(event, enqueue::Name);
    if (function == StringId{}) {
        return state.texts.of(
            fmt::format("OpenCL command {:#x}", find_unsigned(event, enqueue::Type).value_or(0)));
    }
    if (const auto commands = find_unsigned(event, enqueue::Commands).value_or(0); commands > 0) {
        return state.texts.of(fmt::format("{}({} commands)", state.strings.at(function), commands));
    }
    return kernel.empty()
               ? function
               : state.texts.of(fmt::format("{}({})", state.strings.at(function), kernel));
}

void on_enqueue(ApiEvents& state, const trace::RawEvent& event)
{
    auto enqueued = find_enqueued(state, event, enqueue::Command, enqueue::Queue);
    if (!enqueued) {
        return;
    }
    enqueued->is_blocking = find_unsigned(event, enqueue::Blocking).value_or(0) != 0;
    enqueued->api_call = call_name(state, event);
    enqueued->waits_for = find_commands(event, enqueue::WaitsFor);
    enqueued->bytes = find_unsigned(event, enqueue::Bytes).value_or(0);
    state.api().on_enqueue(process_of(opencl, state, event, enqueued->actor), *enqueued);
}

void on_wait(ApiEvents& state, const trace::RawEvent& event)
{
    const AwaitedCommands awaited{find_unsigned(event, wait::Queue).value_or(0),
                                  find_unsigned(event, wait::Newest).value_or(0),
                                  find_commands(event, wait::WaitsFor)};
    on_call_in_other_event(state, event, opencl, find_signed(event, wait::Result), false, &awaited);
}

void on_user_event(ApiEvents& state, const trace::RawEvent& event)
{
    if (const auto number = find_unsigned(event, 0)) {
        state.api().on_user_event(process_of(opencl, state, event), *number, event.time);
    }
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
    described.properties = find_unsigned(event, queue::Properties).value_or(0);
    described.is_timed = state.enumerations.label_of(event.fields[queue::Profiling]) != "off";
    state.api().objects(process_of(opencl, state, event)).describe_queue(*handle, described);
}

void change_references(ApiEvents& state, const trace::RawEvent& event, std::int64_t change)
{
    if (state.enumerations.label_of(event.fields[object::Kind]) == "queue" &&
        find_signed(event, object::Result) == 0) {
        state.api()
            .objects(process_of(opencl, state, event))
            .retain_queue(find_unsigned(event, object::Handle).value_or(0), change);
    }
}

void on_retain(ApiEvents& state, const trace::RawEvent& event)
{
    on_call_in_other_event(state, event, opencl, find_signed(event, object::Result));
    change_references(state, event, 1);
}

void on_release(ApiEvents& state, const trace::RawEvent& event)
{
    on_call_in_other_event(state, event, opencl, find_signed(event, object::Result));
    change_references(state, event, -1);
}

template <ApiEventHandler function> void as_opencl(ApiEvents& state, const trace::RawEvent& event)
{
    function(state, event, opencl);
}

constexpr std::array<EventSpec, 15> events{{
    {"lttng_gpu_opencl:kernel_enqueue", enqueue::names, handler<on_enqueue>},
    // The positions of name, commands and bytes are there in all of them, empty.
    {"lttng_gpu_opencl:transfer_enqueue", enqueue::names, handler<on_enqueue>},
    {"lttng_gpu_opencl:command_enqueue", enqueue::names, handler<on_enqueue>},
    {"lttng_gpu_opencl:command_buffer_enqueue", enqueue::names, handler<on_enqueue>},
    {"lttng_gpu_opencl:command_times", command_times_fields, handler<as_opencl<on_command_times>>},
    {"lttng_gpu_opencl:commands_untimed", commands_untimed_fields,
     handler<as_opencl<on_commands_untimed>>},
    {"lttng_gpu_opencl:user_event_status", status_names, handler<on_user_event>},
    {"lttng_gpu_opencl:call", call_fields, handler<as_opencl<on_call>>},
    {"lttng_gpu_opencl:wait", wait::names, handler<on_wait>},
    {"lttng_gpu_opencl:call_begin", call_begin_fields, handler<as_opencl<on_call_begin>>},
    {"lttng_gpu_opencl:device", device_fields, handler<as_opencl<on_device>>},
    {"lttng_gpu_opencl:queue", queue::names, handler<on_queue>},
    {"lttng_gpu_opencl:device_clock", device_clock_fields, handler<as_opencl<on_device_clock>>},
    {"lttng_gpu_opencl:object_retain", object::names, handler<on_retain>},
    {"lttng_gpu_opencl:object_release", object::names, handler<on_release>},
}};

} // namespace

EventFamily opencl_family()
{
    return {"opencl",
            events,
            {},
            make_state<ApiEvents>,
            true,
            "host queue: in the OpenCL runtime, until submitted; device queue: from then to the "
            "start"};
}

} // namespace lttng_gpu::model
