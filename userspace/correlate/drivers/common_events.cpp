// SPDX-License-Identifier: MIT
//
// See common_events.hpp.
#include "common_events.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

namespace call {
enum : std::size_t { Function, Begin, Result };
} // namespace call

namespace times {
enum : std::size_t { Command, Queue, Status, Validity, Queued, Submit, Start, End, Observed };
} // namespace times

namespace untimed {
enum : std::size_t { Queue, Count };
} // namespace untimed

namespace device {
enum : std::size_t { Handle, Name, Resolution, Parent };
} // namespace device

namespace clock_reading {
enum : std::size_t { Device, DeviceTime, Before, After };
} // namespace clock_reading

TimesValidity validity_of(const ApiEvents& state, const trace::RawEvent& event)
{
    using Named = std::pair<std::string_view, TimesValidity>;
    constexpr std::array known{Named{"valid", TimesValidity::Valid},
                               Named{"disordered", TimesValidity::Disordered},
                               Named{"implausible", TimesValidity::Implausible}};
    const std::string_view label = state.enumerations.label_of(event.fields[times::Validity]);
    const auto* const found = std::ranges::find(known, label, &Named::first);
    return found == known.end() ? TimesValidity::Unavailable : found->second;
}

} // namespace

std::optional<Timestamp> find_moment(ApiEvents& state, const trace::RawEvent& event,
                                     std::size_t field)
{
    const auto value = find_unsigned(event, field);
    const auto offset = state.clock_offsets[event.trace];
    std::int64_t moment = 0;
    if (!value || *value == 0 || !offset ||
        __builtin_add_overflow(*value, offset->value(), &moment)) {
        return {};
    }
    return Timestamp{moment};
}

std::optional<CommandEnqueued> find_enqueued(ApiEvents& state, const trace::RawEvent& event,
                                             std::size_t number, std::size_t queue)
{
    const auto command = find_unsigned(event, number);
    const auto its_queue = find_unsigned(event, queue);
    if (!command || *command == 0 || !its_queue) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return {};
    }
    CommandEnqueued enqueued;
    enqueued.command = *command;
    enqueued.queue = *its_queue;
    enqueued.begin = find_moment(state, event, call::Begin);
    enqueued.returned = event.time;
    enqueued.actor = state.actor_of(event);
    return enqueued;
}

std::vector<std::uint64_t> find_commands(const trace::RawEvent& event, std::size_t field)
{
    const trace::NumberList numbers = event.fields[field].as_numbers();
    std::vector<std::uint64_t> commands;
    for (std::size_t index = 0; index < numbers.size(); ++index) {
        if (numbers[index] != 0) {
            commands.push_back(numbers[index]);
        }
    }
    return commands;
}

CallName find_call_name(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits)
{
    return state.api().names().of(event.fields[call::Function], traits.waiting_functions);
}

ApiProcess process_of(const ApiTraits& traits, ApiEvents& state, const trace::RawEvent& event,
                      const Actor& actor)
{
    return {&traits.api, event.trace, actor.pid ? actor.pid->value() : -1,
            state.threads.origins().at(actor.origin).pid_ns};
}

ApiProcess process_of(const ApiTraits& traits, ApiEvents& state, const trace::RawEvent& event)
{
    return process_of(traits, state, event, state.actor_of(event));
}

void on_call_in_other_event(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits,
                            std::optional<std::int64_t> result, bool is_poll,
                            const AwaitedCommands* awaited, StringId named)
{
    const auto begin = find_moment(state, event, call::Begin);
    if (!find_unsigned(event, call::Function) || !begin) {
        return;
    }
    const CallName name = find_call_name(state, event, traits);
    const Actor actor = state.actor_of(event);
    const std::int64_t returned = result.value_or(0);
    const bool has_failed = traits.least_error > 0 ? returned >= traits.least_error : returned < 0;
    state.api().on_call(process_of(traits, state, event, actor),
                        {actor, *begin, event.time, named != StringId{} ? named : name.text,
                         name.is_wait, has_failed ? static_cast<std::int32_t>(returned) : 0,
                         is_poll, awaited});
}

void on_call(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits)
{
    on_call_in_other_event(state, event, traits, find_signed(event, call::Result));
}

void on_call_begin(ApiEvents& state, const trace::RawEvent& event, const ApiTraits&)
{
    state.api().on_call_begin(state.actor_of(event), event.time);
}

/// The commands of one event share their outcome.
void on_command_times(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits)
{
    const auto queue = find_unsigned(event, times::Queue);
    const trace::NumberList commands = event.fields[times::Command].as_numbers();
    std::array<trace::NumberList, 4> stages;
    bool is_whole = queue && commands.size() != 0;
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        stages[stage] = event.fields[times::Queued + stage].as_numbers();
        is_whole = is_whole && stages[stage].size() == commands.size();
    }
    if (!is_whole) {
        state.anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    CommandReported reported;
    reported.queue = *queue;
    reported.has_failed = find_signed(event, times::Status).value_or(0) < 0;
    reported.validity = validity_of(state, event);
    reported.observed = find_moment(state, event, times::Observed);
    reported.seen = event.time;
    reported.actor = state.actor_of(event);
    const ApiProcess where = process_of(traits, state, event, reported.actor);
    for (std::size_t index = 0; index < commands.size(); ++index) {
        if (commands[index] == 0) {
            state.anomalies.count(Anomaly::EventWithoutIdentity);
            continue;
        }
        reported.command = commands[index];
        for (std::size_t stage = 0; stage < stages.size(); ++stage) {
            reported.device[stage] = stages[stage][index];
        }
        state.api().on_times(where, reported);
    }
}

void on_commands_untimed(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits)
{
    state.api().on_untimed(process_of(traits, state, event),
                           find_unsigned(event, untimed::Queue).value_or(0),
                           find_unsigned(event, untimed::Count).value_or(0));
}

void on_device(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits)
{
    const auto handle = find_unsigned(event, device::Handle);
    if (!handle) {
        return;
    }
    const auto resolution = find_unsigned(event, device::Resolution).value_or(0);
    state.api()
        .objects(process_of(traits, state, event))
        .describe_device(*handle, find_text(event, device::Name),
                         find_unsigned(event, device::Parent).value_or(0),
                         static_cast<std::int64_t>(std::min<std::uint64_t>(resolution, INT64_MAX)));
}

void on_device_clock(ApiEvents& state, const trace::RawEvent& event, const ApiTraits& traits)
{
    const auto handle = find_unsigned(event, clock_reading::Device);
    const auto time = find_unsigned(event, clock_reading::DeviceTime);
    if (handle && time && *time != 0) {
        state.api().on_device_clock(process_of(traits, state, event), *handle,
                                    {*time, find_moment(state, event, clock_reading::Before),
                                     find_moment(state, event, clock_reading::After)},
                                    event.time);
    }
}

} // namespace lttng_gpu::model
