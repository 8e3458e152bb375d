// SPDX-License-Identifier: MIT
//
// CPU scheduler events and the state dump: they are of no job but tell which
// thread ran on a CPU and which process a thread belongs to. A trace whose events
// carry that themselves can do without. Who woke up whom shows which call a thread of a driver
// works for.
#include "../calls/api_jobs.hpp"
#include "../system/thread_observer.hpp"
#include "event_family.hpp"

namespace lttng_gpu::model {
namespace {

enum : std::size_t { FirstField, SecondField, ThirdField };

/// TASK_INTERRUPTIBLE: it waits for a lock, for work, for time. As a number in LTTng's traces only.
constexpr std::int64_t sleeping = 1;
constexpr std::array<std::string_view, 3> process_fields{"tid", "pid", "name"};
constexpr std::array<std::string_view, 3> fork_fields{"child_tid", "child_pid", "child_comm"};

class Sched final : public FamilyState {
public:
    explicit Sched(EventContext& context) : FamilyState{context}, m_context{context} {}

    /// Null: there was no event of an API yet.
    ApiJobs* api() { return m_context.find_api_jobs(); }
    const std::vector<ThreadObserver*>& observers() const { return m_context.thread_observers; }

private:
    EventContext& m_context;
};

void on_wakeup(Sched& state, const trace::RawEvent& event)
{
    for (ThreadObserver* observer : state.observers()) {
        observer->on_wakeup(event);
    }
}

/// In the thread that wakes up, unlike sched_wakeup.
void on_waking(Sched& state, const trace::RawEvent& event)
{
    on_wakeup(state, event);
    ApiJobs* const api = state.api();
    const auto tid = api != nullptr ? find_signed(event, wakeup_field::WokenTid) : std::nullopt;
    if (tid) {
        api->on_wakeup(state.actor_of(event), event.time, Tid{*tid});
    }
}

void on_switch(Sched& state, const trace::RawEvent& event)
{
    for (ThreadObserver* observer : state.observers()) {
        observer->on_switch(event);
    }
    const auto tid = find_signed(event, switch_field::NextTid);
    if (ApiJobs* const api = state.api()) {
        const Actor previous = state.actor_of(event);
        if (find_signed(event, switch_field::PrevState) == sleeping) {
            api->on_sleep(previous, event.time);
        }
        if (tid) {
            api->switches().on_switch(event.trace, event.time, previous, Tid{*tid});
        }
    }
    if (tid) {
        state.threads.on_switch(event, Tid{*tid}, find_text(event, switch_field::NextComm));
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

constexpr std::array<EventSpec, 6> events{{
    {"sched_switch", switch_field::names, handler<on_switch>},
    {"lttng_statedump_process_state", process_fields, handler<on_process>, true},
    {"sched_waking", wakeup_field::names, handler<on_waking>},
    {"sched_wakeup", wakeup_field::names, handler<on_wakeup>},
    {"sched_wakeup_new", wakeup_field::names, handler<on_wakeup>},
    {"sched_process_fork", fork_fields, handler<on_process>, true},
}};

} // namespace

EventFamily sched_family()
{
    return {"sched", events, {}, make_state<Sched>};
}

} // namespace lttng_gpu::model
