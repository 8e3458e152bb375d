// SPDX-License-Identifier: MIT
//
// CPU scheduler events and the state dump: they are of no job but tell which
// thread ran on a CPU and which process a thread belongs to. A trace whose events
// carry that themselves can do without.
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

enum : std::size_t { FirstField, SecondField, ThirdField };

constexpr std::array<std::string_view, 2> switch_fields{"next_tid", "next_comm"};
constexpr std::array<std::string_view, 3> process_fields{"tid", "pid", "name"};
constexpr std::array<std::string_view, 3> fork_fields{"child_tid", "child_pid", "child_comm"};

void on_switch(FamilyState& state, const trace::RawEvent& event)
{
    if (const auto tid = find_signed(event, FirstField)) {
        state.threads.on_switch(event, Tid{*tid}, find_text(event, SecondField));
    }
}

void on_process(FamilyState& state, const trace::RawEvent& event)
{
    const auto tid = find_signed(event, FirstField);
    const auto pid = find_signed(event, SecondField);
    if (tid && pid) {
        state.threads.on_process(event.trace, Tid{*tid}, Pid{*pid},
                                 state.texts.of(find_text(event, ThirdField)));
    }
}

constexpr std::array<EventSpec, 3> events{{
    {"sched_switch", switch_fields, handler<on_switch>, true},
    {"lttng_statedump_process_state", process_fields, handler<on_process>, true},
    {"sched_process_fork", fork_fields, handler<on_process>, true},
}};

} // namespace

EventFamily sched_family()
{
    return {"sched", events, {}, make_state<FamilyState>};
}

} // namespace lttng_gpu::model
