// SPDX-License-Identifier: MIT
//
// See run_facts.hpp. The events of commands and calls are the same in all APIs; fields:
// docs/opencl-events.md.
#include "run_facts.hpp"

#include "../correlate/base/apis.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace lttng_gpu::exporting {
namespace {

/// Commands that never report would otherwise be kept for ever.
constexpr std::size_t most_open_commands = 1'000'000;
constexpr std::int64_t unknown = -1;

/// In the order of RunObserver::Event.
constexpr std::array event_names{"kernel_enqueue",  "transfer_enqueue", "command_buffer_enqueue",
                                 "command_enqueue", "command_times",    "call"};
constexpr std::size_t events_of_an_api = event_names.size();
constexpr std::size_t events_of_apis = apis.size() * events_of_an_api;

std::string event_name(std::size_t wanted)
{
    return apis[wanted / events_of_an_api].provider() + ":" +
           event_names[wanted % events_of_an_api];
}

template <typename Time> void keep_first(std::optional<Time>& first, Time time)
{
    first = std::min(first.value_or(time), time);
}

} // namespace

std::uint32_t CommandKinds::number_of(const std::string& name)
{
    const auto [found, is_new] =
        m_numbers.try_emplace(name, static_cast<std::uint32_t>(m_names.size()));
    if (is_new) {
        m_names.push_back(name);
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
    : m_kinds{kinds}, m_align{std::move(align)}
{
    if (!m_align.empty()) {
        m_align_index = 0;
        while (*m_align_index < events_of_apis && event_name(*m_align_index) != m_align) {
            ++*m_align_index;
        }
    }
}

EventObserver RunObserver::event_observer()
{
    EventObserver made;
    const std::vector<std::string> command{"command", "queue", "type"};
    const std::array<std::vector<std::string>, events_of_an_api> fields{
        {{"command", "queue", "type", "name"},
         command,
         command,
         {"command", "validity", "start", "end"},
         {}}};
    for (std::size_t wanted = 0; wanted < events_of_apis; ++wanted) {
        made.wanted.push_back({event_name(wanted), fields[wanted % events_of_an_api], false});
    }
    if (m_align_index == made.wanted.size()) {
        made.wanted.push_back({m_align, {}, false});
    }
    made.on_event = [this](const trace::RawEvent& event) { on_event(event); };
    made.enumerations = &m_enumerations;
    return made;
}

void RunObserver::on_event(const trace::RawEvent& event)
{
    if (event.wanted == m_align_index) {
        keep_first(m_facts.first_named, event.time);
    }
    if (event.wanted >= events_of_apis) {
        return; // wanted for aligning only
    }
    switch (static_cast<Event>(event.wanted % events_of_an_api)) {
    case Event::Kernel:
    case Event::Transfer:
    case Event::CommandBuffer:
    case Event::Other:
        on_command(event, static_cast<Event>(event.wanted % events_of_an_api) == Event::Kernel);
        break;
    case Event::Times:
        on_times(event);
        break;
    case Event::Call:
        keep_first(m_facts.first_call, event.time);
        break;
    }
}

RunObserver::Key RunObserver::key_of(const trace::RawEvent& event, std::uint64_t number)
{
    return {event.wanted / events_of_an_api, event.trace.value(),
            event.context.pid.as_unsigned_or(0), number};
}

void RunObserver::on_command(const trace::RawEvent& event, bool is_kernel)
{
    const Key queue_key = key_of(event, event.fields[1].as_unsigned_or(0));
    const auto queue = m_queues.try_emplace(queue_key, m_facts.queues.size());
    if (queue.second) {
        m_facts.queues.emplace_back();
    }
    QueueFacts& facts = m_facts.queues[queue.first->second];
    const std::string name = is_kernel
                                 ? fmt::format("kernel {}", event.fields[3].as_text())
                                 : fmt::format("command {:#x}", event.fields[2].as_unsigned_or(0));
    if (m_open.size() < most_open_commands) {
        m_open[key_of(event, event.fields[0].as_unsigned_or(0))] = {queue.first->second,
                                                                    facts.kinds.size()};
    } else {
        ++m_facts.not_followed;
    }
    facts.kinds.push_back(m_kinds.number_of(name));
    facts.execution_ns.push_back(unknown);
    keep_first(m_facts.first_command, event.time);
    m_facts.last_command = std::max(m_facts.last_command.value_or(event.time), event.time);
}

void RunObserver::on_times(const trace::RawEvent& event)
{
    const bool is_valid = m_enumerations.label_of(event.fields[1]) == "valid";
    const trace::NumberList commands = event.fields[0].as_numbers();
    const trace::NumberList starts = event.fields[2].as_numbers();
    const trace::NumberList ends = event.fields[3].as_numbers();
    for (std::size_t i = 0; i < std::min({commands.size(), starts.size(), ends.size()}); ++i) {
        const auto open = m_open.find(key_of(event, commands[i]));
        if (open == m_open.end()) {
            continue;
        }
        if (is_valid) {
            m_facts.queues[open->second.queue].execution_ns[open->second.index] =
                static_cast<std::int64_t>(ends[i] - starts[i]);
        }
        m_open.erase(open);
    }
}

} // namespace lttng_gpu::exporting
