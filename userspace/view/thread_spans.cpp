// SPDX-License-Identifier: MIT
//
// See thread_spans.hpp. A thread that leaves its CPU with state 0, or with what the kernel shows as
// R+ (TASK_REPORT_MAX and above, __trace_sched_switch_state()), could have gone on.
#include "thread_spans.hpp"

#include <algorithm>

namespace lttng_gpu::view {
namespace {

using model::switch_field::NextComm;
using model::switch_field::NextTid;
using model::switch_field::PrevState;
using model::switch_field::PrevTid;

constexpr std::uint64_t sleeping_states = 0xff;

bool could_go_on(const trace::FieldValue& state)
{
    if (const auto number = state.as_unsigned()) {
        return (*number & sleeping_states) == 0;
    }
    const std::string_view text = state.as_text();
    return text.empty() || text.front() == 'R';
}

} // namespace

ThreadSpans::ThreadSpans(const NameTables& names,
                         const std::function<std::string(StringId)>& name_of, SpanChunks spans)
    : m_spans{std::move(spans)}
{
    for (std::size_t number = 0; number < names.actors().size(); ++number) {
        const ActorEntry& actor = names.actors()[number];
        if (actor.tid && actor.tid->value() != 0) {
            m_threads[actor.tid->value()].actors.emplace_back(name_of(actor.comm),
                                                              static_cast<std::uint32_t>(number));
        }
    }
}

ThreadSpans::Thread* ThreadSpans::find(const trace::FieldValue& tid)
{
    const auto found = m_threads.find(tid.as_signed().value_or(0));
    return found == m_threads.end() ? nullptr : &found->second;
}

std::uint32_t ThreadSpans::other_named(std::string_view name)
{
    if (name.empty()) {
        return 0;
    }
    const auto [place, is_new] =
        m_other_numbers.try_emplace(std::string{name}, static_cast<std::uint32_t>(m_others.size()));
    if (is_new) {
        m_others.emplace_back(name);
    }
    return place->second;
}

void ThreadSpans::close(Thread& thread, Timestamp time)
{
    if (thread.is_known && time > thread.since) {
        m_spans.add({thread.since, time, thread.actor, thread.state, thread.other});
    }
    thread.is_known = false;
}

void ThreadSpans::change(Thread& thread, Timestamp time, State state, std::uint32_t other)
{
    close(thread, time);
    thread.since = time;
    thread.state = state;
    thread.other = other;
    thread.is_known = true;
}

void ThreadSpans::note(const trace::RawEvent& event)
{
    if (m_trace && *m_trace != event.trace) {
        m_spans.drop();
    }
    m_trace = event.trace;
    m_last = event.time;
}

void ThreadSpans::on_wakeup(const trace::RawEvent& event)
{
    note(event);
    Thread* const woken = find(event.fields[model::wakeup_field::WokenTid]);
    if (woken == nullptr) {
        return;
    }
    if (woken->is_known && woken->state == Blocked) {
        change(*woken, event.time, Ready, 0);
    }
    woken->is_overtaken = woken->is_known && woken->state == Running;
}

void ThreadSpans::on_switch(const trace::RawEvent& event)
{
    note(event);
    const std::string_view next_name = event.fields[NextComm].as_text();
    Thread* const previous = find(event.fields[PrevTid]);
    if (previous != nullptr && previous->is_known) {
        const bool is_preempted = could_go_on(event.fields[PrevState]);
        change(*previous, event.time, is_preempted ? Ready : Blocked,
               is_preempted ? other_named(next_name) : 0);
    }
    if (Thread* const next = find(event.fields[NextTid])) {
        const auto named = std::ranges::find_if(next->actors, [&](const auto& actor) {
            return actor.first == next_name || actor.first.empty();
        });
        if (named == next->actors.end()) {
            close(*next, event.time);
            return;
        }
        // As in diagnose/thread_states.cpp: a wakeup may be told before the sleep that it ends.
        if (next->state == Blocked && next->is_overtaken) {
            next->state = Ready;
        }
        next->is_overtaken = false;
        change(*next, event.time, Running, 0);
        next->actor = named->second;
    }
}

/// Of any thread a change may be missing.
void ThreadSpans::on_loss(const trace::Loss& loss)
{
    for (auto& [tid, thread] : m_threads) {
        close(thread, loss.begin);
    }
}

void ThreadSpans::finish()
{
    for (auto& [tid, thread] : m_threads) {
        close(thread, m_last);
    }
    m_spans.finish();
}

} // namespace lttng_gpu::view
