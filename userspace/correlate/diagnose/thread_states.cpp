// SPDX-License-Identifier: MIT
//
// See thread_states.hpp. A thread that leaves its CPU with state 0, or with what the kernel
// shows as R+ (TASK_REPORT_MAX and above, __trace_sched_switch_state()), could have gone on.
#include "thread_states.hpp"

#include <algorithm>

namespace lttng_gpu::diagnose {
namespace {

using model::switch_field::NextComm;
using model::switch_field::NextTid;
using model::switch_field::PrevState;
using model::switch_field::PrevTid;
using model::wakeup_field::TargetCpu;
using model::wakeup_field::WokenTid;

constexpr std::size_t most_cpus = 8192;
constexpr std::size_t most_threads = 65536;
constexpr std::size_t most_followed = 8192;
constexpr std::size_t most_others = 2048;       // rows come later than who is followed is known
constexpr std::size_t most_changes = 1U << 20U; // of all threads
constexpr std::size_t most_earlier = 32;        // that ran on a CPU
constexpr std::size_t most_losses = 4096;
constexpr std::uint64_t sleeping_states = 0xff;
constexpr std::uint64_t uninterruptible = 2; // TASK_UNINTERRUPTIBLE, TASK_KILLABLE

bool is_ready(const trace::FieldValue& state)
{
    if (const auto number = state.as_unsigned()) {
        return (*number & sleeping_states) == 0;
    }
    const std::string_view text = state.as_text();
    return text.empty() || text.front() == 'R';
}

bool is_deep(const trace::FieldValue& state)
{
    const auto number = state.as_unsigned();
    return number ? (*number & uninterruptible) != 0 : state.as_text().starts_with('D');
}

std::int32_t number_of(const trace::FieldValue& tid)
{
    const std::int64_t number = tid.as_signed().value_or(0);
    return number == static_cast<std::int32_t>(number) ? static_cast<std::int32_t>(number) : 0;
}

} // namespace

void ThreadStates::on_loss(const trace::Loss& loss)
{
    if (m_lost.size() == most_losses) { // one long one is worse knowledge, but no wrong one
        m_lost.front().end = std::max(m_lost.front().end, loss.end);
        return;
    }
    m_lost.push_back({loss.trace, loss.begin, loss.end});
    if (Running* running = running_on(loss.trace, loss.cpu)) {
        *running = {};
        m_machines.find(loss.trace)->second.earlier[loss.cpu.value()].clear();
    }
}

ThreadStates::Running* ThreadStates::running_on(TraceId trace, Cpu cpu)
{
    const auto machine = m_machines.find(trace);
    if (machine == m_machines.end() || cpu.value() >= most_cpus) {
        return nullptr;
    }
    auto& cpus = machine->second.cpus;
    if (cpu.value() >= cpus.size()) {
        cpus.resize(cpu.value() + 1ULL);
        machine->second.earlier.resize(cpus.size());
    }
    return &cpus[cpu.value()];
}

void ThreadStates::on_switch(const trace::RawEvent& event)
{
    const std::int32_t prev = number_of(event.fields[PrevTid]);
    const std::int32_t next = number_of(event.fields[NextTid]);
    const ThreadName next_name{event.fields[NextComm].as_text()};
    if (!event.fields[NextTid].is_integer()) {
        return;
    }
    m_machines.try_emplace(event.trace);
    if (prev != 0 && event.fields[PrevTid].is_integer()) {
        const bool is_preempted = is_ready(event.fields[PrevState]);
        StateChange left{event.time, 0, 0, {}, ThreadState::Blocked};
        left.is_deep = is_deep(event.fields[PrevState]);
        if (is_preempted) {
            left = {event.time, next, 0, next_name, ThreadState::Ready, true};
        }
        change({event.trace, Tid{prev}}, left).pid = event.context.pid.as_signed().value_or(0);
    }
    Running* const running = running_on(event.trace, event.cpu);
    const bool is_known = running != nullptr && running->since != Timestamp{};
    auto* const earlier =
        is_known ? &m_machines.find(event.trace)->second.earlier[event.cpu.value()] : nullptr;
    if (next != 0) {
        if (is_known) {
            settle_ready({event.trace, Tid{next}}, *running, *earlier, event.time);
        }
        // Its own name, by which find() knows it.
        change({event.trace, Tid{next}}, {event.time, 0, 0, next_name, ThreadState::Running});
    }
    if (is_known) {
        earlier->push_back(*running);
        if (earlier->size() > most_earlier) {
            earlier->pop_front();
        }
    }
    if (running != nullptr) {
        *running = {next, next_name, event.time};
    }
}

/// A thread that another CPU wakes while it leaves its own (try_to_wake_up() waits for p->on_cpu)
/// can have its wakeup told before its sleep, of which then no end is told: it could run all the
/// time.
bool ThreadStates::is_overtaken(const History& history)
{
    const std::vector<StateChange>& changes = history.changes;
    return changes.size() >= 2 && changes.back().state == ThreadState::Blocked &&
           !changes.back().is_woken && changes[changes.size() - 2].state == ThreadState::Running &&
           changes[changes.size() - 2].is_woken;
}

/// Only now it is known on which CPU the thread was to run: sched_waking names the one on which it
/// last ran. While that was idle, nobody kept the thread from it; else each that ran there did, for
/// as long as it ran.
void ThreadStates::settle_ready(const ThreadId& next, const Running& before,
                                const std::deque<Running>& earlier, Timestamp now)
{
    const auto found = m_threads.find(next);
    if (found == m_threads.end() || found->second.changes.empty()) {
        return;
    }
    StateChange& last = found->second.changes.back();
    if (is_overtaken(found->second)) {
        last = {last.since, 0, 0, {}, ThreadState::Ready};
    }
    if (last.state != ThreadState::Ready) {
        return;
    }
    std::vector<Running> runs; // that overlap its time
    for (std::size_t place = 0; place < earlier.size(); ++place) {
        const Running& after = place + 1 < earlier.size() ? earlier[place + 1] : before;
        if (after.since > last.since) {
            runs.push_back(earlier[place]);
        }
    }
    runs.push_back(before);
    // One that was preempted elsewhere may have waited there for long.
    const bool is_of_here = runs.front().since <= last.since && runs.front().tid == last.by;
    if (!last.is_preempted || is_of_here) {
        change_by_runs(next, runs, now);
    } else if (before.tid == 0) {
        change_by_runs(next, {before}, now);
    }
}

/// Its last state becomes one for each of the runs, or of too many that of the longest.
void ThreadStates::change_by_runs(const ThreadId& thread, const std::vector<Running>& runs,
                                  Timestamp now)
{
    constexpr std::size_t most_runs = 16;
    std::vector<StateChange>& changes = m_threads.find(thread)->second.changes;
    const Timestamp since = changes.back().since;
    const auto state_of = [](const Running& run, Timestamp from) {
        return run.tid == 0 ? StateChange{from, 0, 0, {}, ThreadState::Waking}
                            : StateChange{from, run.tid, 0, run.name, ThreadState::Ready};
    };
    if (runs.size() > most_runs) {
        std::map<std::int32_t, std::pair<std::int64_t, const Running*>> lengths;
        for (std::size_t place = 0; place < runs.size(); ++place) {
            const Timestamp end = place + 1 < runs.size() ? runs[place + 1].since : now;
            auto& known = lengths[runs[place].tid];
            known = {known.first + (end - std::max(since, runs[place].since)).value(),
                     &runs[place]};
        }
        const auto longest =
            std::ranges::max_element(lengths, {}, [](const auto& run) { return run.second.first; });
        changes.back() = state_of(*longest->second.second, since);
        return;
    }
    for (const Running& run : runs) {
        const StateChange next = state_of(run, std::max(since, run.since));
        if (run.since <= since) {
            changes.back() = next;
        } else if (next.state != changes.back().state || next.by != changes.back().by) {
            change(thread, next);
        }
    }
}

/// sched_waking comes first, in the thread that wakes; what comes for a thread that runs or could
/// run already changes nothing.
void ThreadStates::on_wakeup(const trace::RawEvent& event)
{
    const std::int32_t tid = number_of(event.fields[WokenTid]);
    if (tid == 0) {
        return;
    }
    const ThreadId thread{event.trace, Tid{tid}};
    const auto found = m_threads.find(thread);
    if (found != m_threads.end() && !found->second.changes.empty()) {
        StateChange& last = found->second.changes.back();
        last.is_woken = true;
        if (last.state != ThreadState::Unknown && last.state != ThreadState::Blocked) {
            return;
        }
        const Running* waking = running_on(event.trace, event.cpu);
        last.waker = number_of(event.context.tid);
        if (waking != nullptr && (last.waker == 0 || last.waker == waking->tid)) {
            last.waker = waking->tid;
            last.by_name = waking->name;
        }
        const std::int64_t pid = event.context.pid.as_signed().value_or(0);
        last.is_of_others = pid != 0 && found->second.pid != 0 && pid != found->second.pid;
        // What wakes a helper gave it the work: its states are asked for, too.
        if (found->second.is_followed && last.waker != 0 && !last.is_of_others) {
            follow({event.trace, Tid{last.waker}});
        }
    }
    StateChange ready{event.time, 0, 0, {}, ThreadState::Ready};
    const auto cpu = event.fields[TargetCpu].as_unsigned();
    const Running* running = cpu && *cpu < most_cpus
                                 ? running_on(event.trace, Cpu{static_cast<std::uint32_t>(*cpu)})
                                 : nullptr;
    if (running != nullptr) {
        ready.by = running->tid;
        ready.by_name = running->name;
    }
    change(thread, ready);
}

void ThreadStates::follow(const ThreadId& thread)
{
    if (m_threads.size() < most_threads || m_threads.contains(thread)) {
        m_threads[thread].is_followed = true;
    }
}

std::optional<ThreadId> ThreadStates::find(const ThreadId& thread, std::string_view name) const
{
    if (has_events(thread.trace)) {
        return thread;
    }
    if (m_machines.size() != 1) {
        return {};
    }
    const ThreadId other{m_machines.begin()->first, thread.tid};
    for (const Running& running : m_machines.begin()->second.cpus) {
        if (running.tid == thread.tid.value() && running.name.view() == name) {
            return other;
        }
    }
    return is_named(other, name) ? std::optional{other} : std::nullopt;
}

bool ThreadStates::is_named(const ThreadId& thread, std::string_view name) const
{
    const auto found = m_threads.find(thread);
    return found != m_threads.end() &&
           std::ranges::any_of(found->second.changes, [&](const StateChange& at) {
               return at.state == ThreadState::Running && at.by_name.view() == name;
           });
}

ThreadStates::History& ThreadStates::change(const ThreadId& thread, const StateChange& change)
{
    auto found = m_threads.find(thread);
    if (found == m_threads.end()) {
        if (m_threads.size() >= most_threads) {
            forget_some();
        }
        found = m_threads.try_emplace(thread).first;
    }
    History& history = found->second;
    const std::size_t most = history.is_followed ? most_followed : most_others;
    if (history.changes.size() >= most) {
        const auto half = static_cast<std::ptrdiff_t>(history.changes.size() - most / 2);
        history.changes.erase(history.changes.begin(), history.changes.begin() + half);
        m_total -= static_cast<std::size_t>(half);
    }
    history.changes.push_back(change);
    if (++m_total > most_changes) {
        forget_some();
        return m_threads[thread];
    }
    return history;
}

/// Half of every thread's states; threads that are not followed go.
void ThreadStates::forget_some()
{
    for (auto at = m_threads.begin(); at != m_threads.end();) {
        auto& changes = at->second.changes;
        const auto dropped = static_cast<std::ptrdiff_t>(at->second.is_followed ? changes.size() / 2
                                                                                : changes.size());
        m_total -= static_cast<std::size_t>(dropped);
        changes.erase(changes.begin(), changes.begin() + dropped);
        at = at->second.is_followed ? std::next(at) : m_threads.erase(at);
    }
}

std::size_t ThreadStates::History::place_before(Timestamp time) const
{
    const auto after = std::upper_bound(
        changes.begin(), changes.end(), time,
        [](Timestamp sought, const StateChange& other) { return sought < other.since; });
    return after == changes.begin() ? 0 : static_cast<std::size_t>(after - changes.begin()) - 1;
}

} // namespace lttng_gpu::diagnose
