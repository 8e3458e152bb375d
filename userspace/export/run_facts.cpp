// SPDX-License-Identifier: MIT
//
// See run_facts.hpp. Events and fields: docs/opencl-events.md.
#include "run_facts.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

/// Commands that never report would otherwise be kept for ever.
constexpr std::size_t most_open_commands = 1'000'000;
constexpr std::int64_t unknown = -1;
constexpr std::uint64_t valid = 0; // of the enumeration `validity`

constexpr std::array event_names{
    "lttng_gpu_opencl:kernel_enqueue", "lttng_gpu_opencl:transfer_enqueue",
    "lttng_gpu_opencl:command_enqueue", "lttng_gpu_opencl:command_times", "lttng_gpu_opencl:call"};

template <typename Time> void keep_first(std::optional<Time>& first, Time time)
{
    first = std::min(first.value_or(time), time);
}

} // namespace

std::uint32_t CommandKinds::number_of(const std::string& name)
{
    const auto [found, is_new] =
        x_numbers.try_emplace(name, static_cast<std::uint32_t>(x_names.size()));
    if (is_new) {
        x_names.push_back(name);
    }
    return found->second;
}

std::size_t RunFacts::commands() const
{
    std::size_t count = 0;
    for (const QueueFacts& queue : queues) {
        count += queue.kinds.size();
    }
    return count;
}

RunObserver::RunObserver(CommandKinds& kinds, std::string align)
    : x_kinds{kinds}, x_align{std::move(align)}
{
    if (!x_align.empty()) {
        const auto* known = std::find(event_names.begin(), event_names.end(), x_align);
        x_align_index = static_cast<std::size_t>(known - event_names.begin());
    }
}

EventObserver RunObserver::event_observer()
{
    EventObserver made;
    const std::vector<std::string> command{"command", "queue", "type"};
    made.wanted = {{event_names[0], {"command", "queue", "type", "name"}, false},
                   {event_names[1], command, false},
                   {event_names[2], command, false},
                   {event_names[3], {"command", "validity", "start", "end"}, false},
                   {event_names[4], {}, false}};
    if (x_align_index == made.wanted.size()) {
        made.wanted.push_back({x_align, {}, false});
    }
    made.on_event = [this](const trace::RawEvent& event) { on_event(event); };
    return made;
}

void RunObserver::on_event(const trace::RawEvent& event)
{
    if (event.wanted == x_align_index) {
        keep_first(x_facts.first_named, event.time);
    }
    switch (static_cast<Event>(event.wanted)) {
    case Event::Kernel:
    case Event::Transfer:
    case Event::Other:
        on_command(event, static_cast<Event>(event.wanted) == Event::Kernel);
        break;
    case Event::Times:
        on_times(event);
        break;
    case Event::Call:
        keep_first(x_facts.first_call, event.time);
        break;
    case Event::Named:
        break;
    }
}

void RunObserver::on_command(const trace::RawEvent& event, bool is_kernel)
{
    const std::uint64_t process = event.context.pid.as_unsigned_or(0);
    const Key queue_key{event.trace.value(), process, event.fields[1].as_unsigned_or(0)};
    const auto queue = x_queues.try_emplace(queue_key, x_facts.queues.size());
    if (queue.second) {
        x_facts.queues.emplace_back();
    }
    QueueFacts& facts = x_facts.queues[queue.first->second];
    const std::string name = is_kernel
                                 ? fmt::format("kernel {}", event.fields[3].as_text())
                                 : fmt::format("command {:#x}", event.fields[2].as_unsigned_or(0));
    if (x_open.size() < most_open_commands) {
        x_open[{event.trace.value(), process, event.fields[0].as_unsigned_or(0)}] = {
            queue.first->second, facts.kinds.size()};
    } else {
        ++x_facts.not_followed;
    }
    facts.kinds.push_back(x_kinds.number_of(name));
    facts.execution_ns.push_back(unknown);
    keep_first(x_facts.first_command, event.time);
    x_facts.last_command = std::max(x_facts.last_command.value_or(event.time), event.time);
}

void RunObserver::on_times(const trace::RawEvent& event)
{
    const std::uint64_t process = event.context.pid.as_unsigned_or(0);
    const bool is_valid = event.fields[1].as_unsigned_or(valid + 1) == valid;
    const trace::NumberList commands = event.fields[0].as_numbers();
    const trace::NumberList starts = event.fields[2].as_numbers();
    const trace::NumberList ends = event.fields[3].as_numbers();
    for (std::size_t i = 0; i < std::min({commands.size(), starts.size(), ends.size()}); ++i) {
        const auto open = x_open.find({event.trace.value(), process, commands[i]});
        if (open == x_open.end()) {
            continue;
        }
        if (is_valid) {
            x_facts.queues[open->second.queue].execution_ns[open->second.index] =
                static_cast<std::int64_t>(ends[i] - starts[i]);
        }
        x_open.erase(open);
    }
}

} // namespace lttng_gpu::exporting
