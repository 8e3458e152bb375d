// SPDX-License-Identifier: MIT
//
// The part of api_calls.hpp that names a job's call: by its thread, else as that of a helper.
#include "api_calls.hpp"

#include <algorithm>

namespace lttng_gpu::model {

std::optional<CallPlace> ApiCalls::name(Job& job, std::uint64_t serial)
{
    std::optional<CallPlace> place;
    if (!job.queued || !job.actor.tid) {
        return place;
    }
    const auto by_thread = name_by_thread(job, place);
    if (by_thread == CallerMatch::Same) {
        return place;
    }
    std::optional<CallerMatch> next_best;
    Process* const process =
        job.actor.pid ? find_process(job.actor, *job.queued, next_best) : nullptr;
    if (process != nullptr && is_helper(job.actor, *process)) {
        name_by_process(job, serial, *process, place);
    } else if (next_best && is_helper_name(x_strings.at(job.actor.comm))) {
        count(*next_best);
    } else if (by_thread) {
        count(*by_thread);
    }
    return place;
}

std::optional<CallerMatch> ApiCalls::name_by_thread(Job& job, std::optional<CallPlace>& place)
{
    const Timestamp time = *job.queued;
    const Tid tid = *x_matcher.own_tid(job.actor);
    const auto of_number = x_threads.find(tid.value());
    if (of_number == x_threads.end()) {
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
                                      : x_matcher.match_thread(job.actor, thread.caller);
        if (match == CallerMatch::Same) {
            if (is_doubtful) {
                x_anomalies.count(Anomaly::ApiCallAmbiguous);
            } else {
                set_call(job, span->call, CallBasis::SameThread);
                place = {{thread.caller.trace, thread.caller.pid_ns, tid}, span->begin, span->end};
            }
            return match;
        }
        next_best = std::max(next_best.value_or(match), match);
    }
    return next_best;
}

void ApiCalls::count(CallerMatch match)
{
    switch (match) {
    case CallerMatch::Elsewhere:
        x_anomalies.count(Anomaly::ApiCallElsewhere);
        break;
    case CallerMatch::MachineUnknown:
        x_anomalies.count(Anomaly::ApiCallMachineUnknown);
        break;
    default:
        x_anomalies.count(Anomaly::ApiCallNamespaceUnknown);
        break;
    }
}

bool ApiCalls::was_busy(const Process& process, Timestamp time)
{
    return is_in_doubt(process.ended, time) ||
           (process.endless_since && *process.endless_since <= time) ||
           std::ranges::any_of(process.ended.known,
                               [time](const Span& span) { return span.is_at(time); });
}

void ApiCalls::name_by_process(Job& job, std::uint64_t serial, Process& process,
                               std::optional<CallPlace>& place)
{
    const bool is_compute = process.submitting <= Submitting::Compute;
    if (is_compute && name_by_command(job, process)) {
        return;
    }
    const auto match =
        process.submits.match(job, serial, std::min(x_known_until, x_announced_until));
    if (match.call) {
        const SubmitCall& call = *match.call;
        set_call(job, call.name, CallBasis::HelperThread, match.merged);
        place = {
            {process.caller.trace, process.caller.pid_ns, Tid{call.tid}}, call.begin, call.end};
    } else if (name_by_execution(job, serial, process, place)) {
        return;
    } else if (match.is_doubtful) {
        x_anomalies.count(Anomaly::ApiCallHelperInDoubt);
    } else if (is_compute) {
        count_by_command(job, process);
    } else {
        x_anomalies.count(Anomaly::ApiCallHelperUnmatched);
    }
}

bool ApiCalls::name_by_execution(Job& job, std::uint64_t serial, Process& process,
                                 std::optional<CallPlace>& place)
{
    const auto match = process.executions.match(job, serial);
    if (!match) {
        return false;
    }
    const SubmitCall& call = match->call;
    set_call(job, call.name, CallBasis::DeviceTime, match->merged);
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
void ApiCalls::count_by_command(const Job& job, const Process& process)
{
    const Timestamp time = *job.queued;
    const bool has_some = std::ranges::any_of(
        process.ended.known, [time](const Span& span) { return span.is_at(time); });
    if (has_some || is_in_doubt(process.ended, time)) {
        x_anomalies.count(Anomaly::ApiCallAmbiguous);
    } else if (process.endless_since && *process.endless_since <= time) {
        x_anomalies.count(Anomaly::ApiCallUntimed);
    }
}

} // namespace lttng_gpu::model
