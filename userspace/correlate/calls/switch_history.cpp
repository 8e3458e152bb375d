// SPDX-License-Identifier: MIT
//
// See switch_history.hpp.
#include "switch_history.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// Of two in the same pid namespace with one number nothing is found; they are on two machines.
std::int64_t number_in_space(std::uint32_t pid_ns, Tid tid)
{
    return static_cast<std::int64_t>(std::uint64_t{pid_ns} << 32U) ^ tid.value();
}

Duration overlap(const TimeSpan& left, const TimeSpan& right)
{
    const Timestamp begin = std::max(left.begin, right.begin);
    const Timestamp end = std::min(left.end, right.end);
    return begin < end ? end - begin : Duration{0};
}

} // namespace

SwitchHistory::Switches& SwitchHistory::switches_of(TraceId trace, Timestamp time)
{
    const auto found = std::ranges::find(m_switches, trace, &Switches::trace);
    if (found != m_switches.end()) {
        return *found;
    }
    Switches& switches = m_switches.emplace_back();
    switches.trace = trace;
    switches.known_since = time;
    switches.pauses.resize(most_pauses);
    return switches;
}

void SwitchHistory::forget(Switches& switches, Timestamp until)
{
    switches.known_since = std::max(switches.known_since, until);
    switches.threads.clear();
    switches.kernel_tids.clear();
}

void SwitchHistory::on_switch(TraceId trace, Timestamp time, const Actor& previous, Tid next)
{
    Switches& switches = switches_of(trace, time);
    if (switches.threads.size() >= most_threads) {
        forget(switches, time);
    }
    if (previous.tid && previous.tid->value() != 0) { // 0: the idle threads of all CPUs
        Thread& thread = switches.threads[previous.tid->value()];
        thread.actor = previous;
        thread.left = time;
        thread.is_off = true;
        const ActorOrigin& origin = m_origins.at(previous.origin);
        if (origin.own_tid && origin.pid_ns != initial_pid_namespace) {
            switches.kernel_tids[number_in_space(origin.pid_ns, *origin.own_tid)] =
                previous.tid->value();
        }
    }
    const auto found = switches.threads.find(next.value());
    if (found != switches.threads.end() && found->second.is_off) {
        Thread& thread = found->second;
        switches.pauses[switches.made++ % most_pauses] = {thread.left, time, thread.last};
        thread.last = switches.made;
        thread.is_off = false;
    }
}

void SwitchHistory::on_loss(TraceId trace, Timestamp end)
{
    const auto found = std::ranges::find(m_switches, trace, &Switches::trace);
    if (found != m_switches.end()) {
        forget(*found, end);
    }
}

const SwitchHistory::Switches* SwitchHistory::find_switches(const Actor& actor) const
{
    const TraceId trace = m_origins.at(actor.origin).trace;
    const auto found = std::ranges::find_if(m_switches, [&](const Switches& switches) {
        return m_machines.compare(switches.trace, trace) == SameMachine::Yes;
    });
    return found == m_switches.end() ? nullptr : &*found;
}

/// Null: it never left a CPU, or, with `is_unsure`, one of its number may be another thread.
const SwitchHistory::Thread* SwitchHistory::find_thread(const Switches& switches,
                                                        const Actor& actor, bool& is_unsure) const
{
    const std::uint32_t pid_ns = m_origins.at(actor.origin).pid_ns;
    std::int64_t number = actor.tid->value();
    if (pid_ns != 0 && pid_ns != initial_pid_namespace) {
        const auto known = switches.kernel_tids.find(number_in_space(pid_ns, *actor.tid));
        if (known == switches.kernel_tids.end()) {
            is_unsure = true;
            return nullptr;
        }
        number = known->second;
    }
    const auto found = switches.threads.find(number);
    if (found == switches.threads.end()) {
        return nullptr;
    }
    is_unsure = m_matcher.match_thread(found->second.actor, m_matcher.caller_of(actor)) !=
                CallerMatch::Same;
    return is_unsure ? nullptr : &found->second;
}

template <typename Length>
KnownDuration SwitchHistory::on_cpu(const Actor& actor, const TimeSpan& whole, Duration length,
                                    Length off_in) const
{
    const Switches* const switches =
        m_switches.empty() || !actor.tid ? nullptr : find_switches(actor);
    if (switches == nullptr || whole.begin < switches->known_since) {
        return {};
    }
    bool is_unsure = false;
    const Thread* const thread = find_thread(*switches, actor, is_unsure);
    if (is_unsure || (thread != nullptr && thread->is_off)) {
        return {};
    }
    Duration off{0};
    for (std::uint64_t number = thread != nullptr ? thread->last : 0; number != 0;) {
        if (number + most_pauses <= switches->made) {
            return {}; // it may have been in the span
        }
        const Pause& pause = switches->pauses[(number - 1) % most_pauses];
        if (pause.end <= whole.begin) {
            break;
        }
        off = off + off_in({pause.begin, pause.end});
        number = pause.before;
    }
    return Duration{length.value() - off.value()};
}

KnownDuration SwitchHistory::on_cpu(const Actor& actor, const TimeSpan& span) const
{
    return on_cpu(actor, span, span.end - span.begin,
                  [&](const TimeSpan& pause) { return overlap(span, pause); });
}

KnownDuration SwitchHistory::on_cpu(const Actor& actor, const std::vector<TimeSpan>& spans) const
{
    if (spans.empty()) {
        return {};
    }
    Duration length{0};
    for (const TimeSpan& span : spans) {
        length = length + (span.end - span.begin);
    }
    return on_cpu(actor, {spans.front().begin, spans.back().end}, length,
                  [&](const TimeSpan& pause) {
                      Duration off{0};
                      auto span = std::ranges::upper_bound(spans, pause.begin, {}, &TimeSpan::end);
                      for (; span != spans.end() && span->begin < pause.end; ++span) {
                          off = off + overlap(*span, pause);
                      }
                      return off;
                  });
}

} // namespace lttng_gpu::model
