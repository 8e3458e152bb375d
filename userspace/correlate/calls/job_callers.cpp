// SPDX-License-Identifier: MIT
//
// The part of api_calls.hpp that names a job's call: by its thread, else as that of a helper, and
// says why it has none.
#include "api_calls.hpp"

#include <algorithm>

namespace lttng_gpu::model {

namespace {

/// Of a job whose thread or process has the number of one that made a call.
NoCall cause_of(CallerMatch match)
{
    switch (match) {
    case CallerMatch::Elsewhere:
        return NoCall::Elsewhere;
    case CallerMatch::MachineUnknown:
        return NoCall::MachineUnknown;
    default:
        return NoCall::NamespaceUnknown;
    }
}

/// The causes that are odd: nothing is wrong with a trace of which other programs had jobs, too.
std::optional<Anomaly> anomaly_of(NoCall cause)
{
    switch (cause) {
    case NoCall::Ambiguous:
        return Anomaly::ApiCallAmbiguous;
    case NoCall::Untimed:
        return Anomaly::ApiCallUntimed;
    case NoCall::Elsewhere:
        return Anomaly::ApiCallElsewhere;
    case NoCall::MachineUnknown:
        return Anomaly::ApiCallMachineUnknown;
    case NoCall::NamespaceUnknown:
        return Anomaly::ApiCallNamespaceUnknown;
    case NoCall::HelperInDoubt:
        return Anomaly::ApiCallHelperInDoubt;
    case NoCall::HelperUnmatched:
        return Anomaly::ApiCallHelperUnmatched;
    default:
        return {};
    }
}

} // namespace

std::optional<CallPlace> ApiCalls::name(Job& job, std::uint64_t serial)
{
    std::optional<CallPlace> place;
    const auto cause = find_call(job, serial, place);
    if (job.interval == 0) { // the others are of the same job
        count(job, cause);
    }
    return place;
}

void ApiCalls::count(const Job& job, std::optional<NoCall> cause)
{
    if (cause) {
        ++m_account.at(*cause);
        if (const auto anomaly = anomaly_of(*cause)) {
            m_anomalies.count(*anomaly);
        }
        return;
    }
    switch (job.api_call_basis) {
    case CallBasis::OnlyCommand:
        ++m_account.only_command;
        break;
    case CallBasis::HelperThread:
        ++m_account.helper_thread;
        break;
    case CallBasis::Estimated:
        ++m_account.estimated;
        break;
    default:
        ++m_account.same_thread;
        break;
    }
}

std::optional<NoCall> ApiCalls::find_call(Job& job, std::uint64_t serial,
                                          std::optional<CallPlace>& place)
{
    if (!job.queued) {
        return NoCall::QueuedUnknown;
    }
    if (!job.actor.tid) {
        return NoCall::ThreadUnknown;
    }
    const auto by_thread = name_by_thread(job, place);
    if (by_thread == CallerMatch::Same) {
        return place ? std::nullopt : std::optional{NoCall::Ambiguous};
    }
    std::optional<CallerMatch> next_best;
    Process* const process =
        job.actor.pid ? find_process(job.actor, *job.queued, next_best) : nullptr;
    if (process != nullptr && is_helper(job.actor, *process)) {
        return name_by_process(job, serial, *process, place);
    }
    if (next_best && is_helper_name(m_strings.at(job.actor.comm))) {
        return cause_of(*next_best);
    }
    if (by_thread) {
        return cause_of(*by_thread);
    }
    return may_make_calls(job.actor) ? NoCall::ThreadInNone : NoCall::ProcessWithout;
}

/// Whether its process made calls, as far as the trace can tell.
bool ApiCalls::may_make_calls(const Actor& actor) const
{
    const auto pid = m_matcher.own_pid(actor);
    if (!pid || m_has_unknown_callers) {
        return true;
    }
    const auto of_number = m_callers.find(pid->value());
    return of_number != m_callers.end() &&
           std::ranges::any_of(of_number->second, [&](const Caller& caller) {
               return m_matcher.match_process(actor, caller) != CallerMatch::Elsewhere;
           });
}

void ApiCalls::note_caller(const Caller& caller)
{
    if (!caller.pid || m_callers.size() >= most_callers) {
        m_has_unknown_callers = true;
        return;
    }
    auto& of_number = m_callers[caller.pid->value()];
    if (std::ranges::none_of(of_number,
                             [&](const Caller& known) { return known.is_alike(caller); })) {
        of_number.push_back(caller);
    }
}

std::optional<CallerMatch> ApiCalls::name_by_thread(Job& job, std::optional<CallPlace>& place)
{
    const Timestamp time = *job.queued;
    const Tid tid = *m_matcher.own_tid(job.actor);
    const auto of_number = m_threads.find(tid.value());
    if (of_number == m_threads.end()) {
        return {};
    }
    std::optional<CallerMatch> next_best;
    for (const Thread& thread : of_number->second) {
        const Span* const span = find(thread.calls, time);
        const bool is_doubtful = span == nullptr && is_in_doubt(thread.calls, time);
        if (span == nullptr && !is_doubtful) {
            continue;
        }
        const CallerMatch match = thread.is_several
                                      ? CallerMatch::NamespaceUnknown
                                      : m_matcher.match_thread(job.actor, thread.caller);
        if (match == CallerMatch::Same) {
            if (!is_doubtful) {
                set_call(job, span->call, CallBasis::SameThread);
                m_caller = thread.caller;
                place = {{thread.caller.trace, thread.caller.pid_ns, tid}, span->begin, span->end};
            }
            return match;
        }
        next_best = std::max(next_best.value_or(match), match);
    }
    return next_best;
}

bool ApiCalls::was_busy(const Process& process, Timestamp time)
{
    return is_in_doubt(process.ended, time) ||
           (process.endless_since && *process.endless_since <= time) ||
           std::ranges::any_of(process.ended.known,
                               [time](const Span& span) { return span.is_at(time); });
}

std::optional<NoCall> ApiCalls::name_by_process(Job& job, std::uint64_t serial, Process& process,
                                                std::optional<CallPlace>& place)
{
    m_caller = process.caller;
    const bool is_compute = process.submitting <= Submitting::Compute;
    bool is_doubtful = false;
    if (name_by_only_call(job, process, place, is_doubtful)) {
        return {};
    }
    // clFinish and clFlush may make jobs beside those of the only command.
    if (is_compute && (!is_doubtful || m_estimates) && name_by_command(job, process)) {
        if (is_doubtful) {
            set_estimate(job, job.api_call, job.api_calls);
        }
        return {};
    }
    if (m_estimates && estimate(job, serial, process, place, is_doubtful)) {
        return {};
    }
    if (is_doubtful) {
        return NoCall::HelperInDoubt;
    }
    return is_compute ? cause_by_command(job, process) : NoCall::HelperUnmatched;
}

bool ApiCalls::name_by_only_call(Job& job, Process& process, std::optional<CallPlace>& place,
                                 bool& is_doubtful) const
{
    const bool is_known = *job.queued < m_known_until;
    const auto call = is_known ? process.open.only_at(*job.queued) : std::nullopt;
    is_doubtful = !call && (!is_known || process.open.has_any());
    if (call) {
        set_call(job, call->name, CallBasis::HelperThread);
        place = {
            {process.caller.trace, process.caller.pid_ns, Tid{call->tid}}, call->begin, call->end};
    }
    return call.has_value();
}

void ApiCalls::set_estimate(Job& job, StringId call, std::uint16_t merged)
{
    const StringId name =
        call == StringId{}
            ? call
            : m_strings.intern(std::string{m_strings.at(call)}.append(estimated_mark));
    set_call(job, name, CallBasis::Estimated, merged);
}

bool ApiCalls::estimate(Job& job, std::uint64_t serial, Process& process,
                        std::optional<CallPlace>& place, bool& is_doubtful)
{
    const auto match =
        process.submits.match(job, serial, std::min(m_known_until, m_announced_until));
    if (!match.call) {
        is_doubtful = match.is_doubtful;
        return name_by_execution(job, serial, process, place);
    }
    const SubmitCall& call = *match.call;
    set_estimate(job, call.name, match.merged);
    place = {{process.caller.trace, process.caller.pid_ns, Tid{call.tid}}, call.begin, call.end};
    return true;
}

bool ApiCalls::name_by_execution(Job& job, std::uint64_t serial, Process& process,
                                 std::optional<CallPlace>& place)
{
    const auto match = process.executions.match(job, serial);
    if (!match) {
        return false;
    }
    const SubmitCall& call = match->call;
    set_estimate(job, call.name, match->merged);
    place = {{process.caller.trace, process.caller.pid_ns, Tid{call.tid}}, call.begin, call.end};
    return true;
}

bool ApiCalls::name_by_command(Job& job, const Process& process) const
{
    const Timestamp time = *job.queued;
    const auto& ended = process.ended.known;
    const auto is_under_way = [time](const Span& span) { return span.is_at(time); };
    const bool has_endless = process.endless_since && *process.endless_since <= time;
    const bool is_only = !is_in_doubt(process.ended, time) && !has_endless &&
                         std::ranges::count_if(ended, is_under_way) == 1;
    if (is_only) {
        set_call(job, std::ranges::find_if(ended, is_under_way)->call, CallBasis::OnlyCommand);
    }
    return is_only;
}

/// A command without a known end may be the one that made the job, as long as it runs.
NoCall ApiCalls::cause_by_command(const Job& job, const Process& process)
{
    const Timestamp time = *job.queued;
    const bool has_some = std::ranges::any_of(
        process.ended.known, [time](const Span& span) { return span.is_at(time); });
    if (has_some || is_in_doubt(process.ended, time)) {
        return NoCall::Ambiguous;
    }
    return process.endless_since && *process.endless_since <= time ? NoCall::Untimed
                                                                   : NoCall::HelperUnmatched;
}

} // namespace lttng_gpu::model
