// SPDX-License-Identifier: MIT
//
// Trace system lttng_gpu_hsa: what the HSA layer records in the application (docs/hsa-events.md).
// A packet is a command. User queues pass the kernel by: a packet is queued when its place in the
// ring buffer was reserved, submitted when the doorbell rang, and its execution is what the device
// wrote into its completion signal.
#include "common_events.hpp"

#include <fmt/format.h>

namespace lttng_gpu::model {
namespace {

constexpr std::array<std::string_view, 5> waiting_functions{
    "hsa_signal_wait_relaxed", "hsa_signal_wait_scacquire", "hsa_amd_signal_wait_any",
    "hsa_signal_group_wait_any_relaxed", "hsa_signal_group_wait_any_scacquire"};
/// Of hsa_status_t: what is less says how something ended (HSA_STATUS_INFO_BREAK).
constexpr std::int32_t least_error = 0x1000;
constexpr ApiTraits hsa{*find_api("hsa"), waiting_functions, least_error};

namespace packet {
/// Function and Begin are where they are in call_fields.
enum : std::size_t { Function, Begin, Command, Queue, Reserved, Type, Times, WaitsFor, Name };
namespace layer = layers::hsa::packet;
constexpr std::array names{layer::function, layer::begin_ns,    layer::command,
                           layer::queue,    layer::reserved_ns, layer::type,
                           layer::times,    layer::waits_for,   layer::name};
} // namespace packet

namespace doorbell {
enum : std::size_t { Function, Begin, Missed };
namespace layer = layers::hsa::doorbell;
constexpr std::array names{layer::function, layer::begin_ns, layer::missed};
} // namespace doorbell

namespace queue {
/// Function and Begin are where they are in call_fields; `queue` has none.
enum : std::size_t { Function, Begin, Handle, Device, Result };
namespace layer = layers::hsa::queue_create;
constexpr std::array names{layer::function, layer::begin_ns, layer::queue, layer::device,
                           layer::result};
} // namespace queue

/// The kernel's name, or what kind of packet it is.
StringId packet_name(ApiEvents& state, const trace::RawEvent& event)
{
    const StringId function = find_call_name(state, event, hsa).text;
    const std::string_view kernel = find_text(event, packet::Name);
    const std::string_view type = state.enumerations.label_of(event.fields[packet::Type]);
    const std::string_view what = kernel.empty() ? type : kernel;
    if (function == StringId{}) {
        return state.texts.of(fmt::format("HSA packet {}", what));
    }
    return state.texts.of(fmt::format("{}({})", state.strings.at(function), what));
}

void on_packet(ApiEvents& state, const trace::RawEvent& event)
{
    auto enqueued = find_enqueued(state, event, packet::Command, packet::Queue);
    if (!enqueued) {
        return;
    }
    enqueued->api_call = packet_name(state, event);
    const auto reserved = find_moment(state, event, packet::Reserved);
    enqueued->queued =
        std::min(reserved ? *reserved : enqueued->begin.value_or(event.time), event.time);
    enqueued->submitted = event.time; // the event is written just before the doorbell rings
    enqueued->is_timed = state.enumerations.label_of(event.fields[packet::Times]) == "expected";
    enqueued->waits_for = find_commands(event, packet::WaitsFor);
    state.api().on_enqueue(process_of(hsa, state, event, enqueued->actor), *enqueued);
}

void on_doorbell(ApiEvents& state, const trace::RawEvent& event)
{
    on_call_in_other_event(state, event, hsa, {});
    if (const auto missed = find_unsigned(event, doorbell::Missed); missed && *missed != 0) {
        state.anomalies.count(Anomaly::CommandUntimed, *missed);
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
    state.api().objects(process_of(hsa, state, event)).describe_queue(*handle, described);
}

void on_queue_create(ApiEvents& state, const trace::RawEvent& event)
{
    on_call_in_other_event(state, event, hsa, find_signed(event, queue::Result));
    on_queue(state, event);
}

void on_queue_destroy(ApiEvents& state, const trace::RawEvent& event)
{
    on_call_in_other_event(state, event, hsa, find_signed(event, queue::Result));
    state.api()
        .objects(process_of(hsa, state, event))
        .retain_queue(find_unsigned(event, queue::Handle).value_or(0), -1);
}

template <ApiEventHandler function> void as_hsa(ApiEvents& state, const trace::RawEvent& event)
{
    function(state, event, hsa);
}

constexpr std::array<EventSpec, 11> events{{
    {"lttng_gpu_hsa:packet", packet::names, handler<on_packet>},
    {"lttng_gpu_hsa:doorbell", doorbell::names, handler<on_doorbell>},
    {"lttng_gpu_hsa:command_times", command_times_fields, handler<as_hsa<on_command_times>>},
    {"lttng_gpu_hsa:commands_untimed", commands_untimed_fields,
     handler<as_hsa<on_commands_untimed>>},
    {"lttng_gpu_hsa:call", call_fields, handler<as_hsa<on_call>>},
    {"lttng_gpu_hsa:call_begin", call_begin_fields, handler<as_hsa<on_call_begin>>},
    {"lttng_gpu_hsa:device", device_fields, handler<as_hsa<on_device>>},
    // The positions of function and begin_ns are there, empty.
    {"lttng_gpu_hsa:queue", queue::names, handler<on_queue>},
    {"lttng_gpu_hsa:queue_create", queue::names, handler<on_queue_create>},
    {"lttng_gpu_hsa:queue_destroy", queue::names, handler<on_queue_destroy>},
    {"lttng_gpu_hsa:device_clock", device_clock_fields, handler<as_hsa<on_device_clock>>},
}};

} // namespace

EventFamily hsa_family()
{
    return {"hsa",
            events,
            {},
            make_state<ApiEvents>,
            true,
            "host queue: packet written to doorbell, past the kernel; device queue: to the "
            "profiled start"};
}

} // namespace lttng_gpu::model
