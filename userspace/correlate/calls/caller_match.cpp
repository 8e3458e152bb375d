// SPDX-License-Identifier: MIT
//
// See caller_match.hpp.
#include "caller_match.hpp"

namespace lttng_gpu::model {

Caller CallerMatcher::caller_of(const Actor& actor) const
{
    const ActorOrigin& origin = m_origins.at(actor.origin);
    return {origin.trace, origin.pid_ns, actor.pid, actor.comm};
}

std::optional<Tid> CallerMatcher::own_tid(const Actor& actor) const
{
    const ActorOrigin& origin = m_origins.at(actor.origin);
    return origin.own_tid ? origin.own_tid : actor.tid;
}

std::optional<Pid> CallerMatcher::own_pid(const Actor& actor) const
{
    const ActorOrigin& origin = m_origins.at(actor.origin);
    return origin.own_tid ? origin.own_pid : actor.pid;
}

CallerMatch CallerMatcher::match_spaces(const ActorOrigin& origin, const Caller& caller) const
{
    switch (m_machines.compare(origin.trace, caller.trace)) {
    case SameMachine::No:
        return CallerMatch::Elsewhere;
    case SameMachine::Unknown:
        return CallerMatch::MachineUnknown;
    case SameMachine::Yes:
        break;
    }
    const bool has_own = origin.has_own_numbers || origin.own_tid;
    if (origin.pid_ns != 0 && caller.pid_ns != 0) {
        if (origin.pid_ns != caller.pid_ns) {
            return CallerMatch::Elsewhere;
        }
        return has_own ? CallerMatch::Same : CallerMatch::NamespaceUnknown;
    }
    const bool is_global = origin.has_global_numbers && !origin.own_tid;
    return caller.pid_ns == initial_pid_namespace && is_global ? CallerMatch::Same
                                                               : CallerMatch::NamespaceUnknown;
}

CallerMatch CallerMatcher::match_thread(const Actor& actor, const Caller& caller) const
{
    const ActorOrigin& origin = m_origins.at(actor.origin);
    const CallerMatch match = match_spaces(origin, caller);
    const bool is_told = origin.pid_ns != 0 && caller.pid_ns != 0;
    // The kernel's numbers are not those of a container, though they may look like it.
    const bool can_be_own = caller.pid_ns == 0 || origin.has_own_numbers || origin.own_tid;
    if (match != CallerMatch::NamespaceUnknown || is_told || !can_be_own) {
        return match;
    }
    const auto pid = own_pid(actor);
    const bool is_other_process = pid && caller.pid && *pid != *caller.pid;
    const bool has_name = actor.comm != StringId{} && actor.comm == caller.comm;
    return has_name && !is_other_process ? CallerMatch::Same : CallerMatch::NamespaceUnknown;
}

CallerMatch CallerMatcher::match_process(const Actor& actor, const Caller& caller) const
{
    return match_spaces(m_origins.at(actor.origin), caller);
}

} // namespace lttng_gpu::model
