// SPDX-License-Identifier: MIT
//
// CPU scheduler events and the state dump: they produce no normalised events
// but tell which thread ran on a CPU and which process a thread belongs to.
#include "event_spec.hpp"

namespace lttng_gpu::model {
namespace {

enum : std::size_t { FirstField, SecondField, ThirdField };

constexpr std::array<std::string_view, 2> switch_fields{"next_tid", "next_comm"};
constexpr std::array<std::string_view, 3> process_fields{"tid", "pid", "name"};
constexpr std::array<std::string_view, 3> fork_fields{"child_tid", "child_pid", "child_comm"};

void on_switch(NormaliserState& state, const trace::RawEvent& event, GpuEvents&)
{
    if (const auto tid = find_signed(event, FirstField)) {
        state.threads.on_switch(event, Tid{*tid},
                                state.strings.intern(find_text(event, SecondField)));
    }
}

void on_process(NormaliserState& state, const trace::RawEvent& event, GpuEvents&)
{
    const auto tid = find_signed(event, FirstField);
    const auto pid = find_signed(event, SecondField);
    if (tid && pid) {
        state.threads.on_process(event.trace, Tid{*tid}, Pid{*pid},
                                 state.strings.intern(find_text(event, ThirdField)));
    }
}

constexpr std::array<EventSpec, 3> events{{
    {"sched_switch", switch_fields, on_switch},
    {"lttng_statedump_process_state", process_fields, on_process},
    {"sched_process_fork", fork_fields, on_process},
}};

} // namespace

std::span<const EventSpec> sched_events()
{
    return events;
}

} // namespace lttng_gpu::model
