// SPDX-License-Identifier: MIT
//
// The events that the layers of all APIs write alike: calls, device times of commands,
// readings of device clocks. An API's file lists them in its events, with its traits.
// Values that end in _ns are the own nanoseconds of the trace's clock; where its offset
// is unknown they are of no use and left out.
#pragma once

#include "../calls/api_jobs.hpp"
#include "api_events.hpp"
#include "layer_events.hpp"

namespace lttng_gpu::model {

struct ApiTraits {
    const Api& api; // an element of `apis`
    /// Names of the functions that do nothing but wait until commands are complete.
    std::span<const std::string_view> waiting_functions;
    /// Results from that on are errors; 0: those below 0 are.
    std::int32_t least_error = 0;
};

using ApiEventHandler = void (*)(ApiEvents&, const trace::RawEvent&, const ApiTraits&);

namespace common = layers::opencl; // whose events have all of these fields
inline constexpr std::array call_fields{common::call::function, common::call::begin_ns,
                                        common::call::result};
inline constexpr std::array call_begin_fields{common::call_begin::function};
inline constexpr std::array command_times_fields{
    common::command_times::command,    common::command_times::queue,
    common::command_times::status,     common::command_times::validity,
    common::command_times::queued,     common::command_times::submit,
    common::command_times::start,      common::command_times::end,
    common::command_times::observed_ns};
inline constexpr std::array commands_untimed_fields{common::commands_untimed::queue,
                                                    common::commands_untimed::count,
                                                    common::commands_untimed::reason};
/// A device without a parent is a whole one; most APIs have no others.
inline constexpr std::array device_fields{common::device::device, common::device::name,
                                          common::device::timer_resolution, common::device::parent};
inline constexpr std::array device_clock_fields{
    common::device_clock::device, common::device_clock::device_time,
    common::device_clock::before_ns, common::device_clock::after_ns};

void on_call(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits);
/// Of an event that is written in place of `call`, whose first two fields are those of call_fields.
/// `is_poll`: the call only asks whether something is complete. `awaited`: for what it waited;
/// `named`: the call, with what it is of; empty: the function is all.
void on_call_in_other_event(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits,
                            std::optional<std::int64_t> result, bool is_poll = false,
                            const AwaitedCommands* awaited = nullptr, StringId named = {});
void on_call_begin(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits);
void on_command_times(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits);
void on_commands_untimed(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits);
void on_device(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits);
void on_device_clock(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits);

/// A moment inside an event as a time of the trace.
std::optional<Timestamp> find_moment(ApiEvents& state, const trace::RawEvent& event,
                                     std::size_t field);
/// What the events of all APIs say of a command that was enqueued; `number` and `queue` are fields.
/// Its fields are those of a call first. Nothing (counted): the event does not say which command,
/// or on which queue.
std::optional<CommandEnqueued> find_enqueued(ApiEvents& state, const trace::RawEvent& event,
                                             std::size_t number, std::size_t queue);
/// The commands that are named in a list; 0 names none.
std::vector<std::uint64_t> find_commands(const trace::RawEvent& event, std::size_t field);
/// Of an event whose first field is the function.
CallName find_call_name(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits);
ApiProcess process_of(const ApiTraits& traits, ApiEvents& state, const trace::RawEvent& event,
                      const Actor& actor);
ApiProcess process_of(const ApiTraits& traits, ApiEvents& state, const trace::RawEvent& event);

} // namespace lttng_gpu::model
