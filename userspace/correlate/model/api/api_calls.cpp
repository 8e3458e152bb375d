// SPDX-License-Identifier: MIT
//
// See api_calls.hpp. Helper threads are known by the names that Mesa and amdgpu
// give them: "amdgpu_cs:0", "gdrv0", "glxgears:cs0".
#include "api_calls.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

bool is_digits(std::string_view text)
{
    return !text.empty() &&
           std::ranges::all_of(text, [](char letter) { return letter >= '0' && letter <= '9'; });
}

bool is_helper(std::string_view comm)
{
    if (comm.starts_with("gdrv")) {
        return is_digits(comm.substr(4));
    }
    const auto colon = comm.rfind(':');
    if (colon == std::string_view::npos) {
        return false;
    }
    const std::string_view name = comm.substr(colon + 1);
    return (name.starts_with("cs") && is_digits(name.substr(2))) ||
           (comm.substr(0, colon).ends_with("_cs") && is_digits(name));
}

/// std::erase_if() of a map shows its entries as constants.
template <typename Who, typename IsOver>
void erase_where(std::unordered_map<std::int64_t, std::vector<Who>>& map, IsOver is_over)
{
    for (auto entry = map.begin(); entry != map.end();) {
        std::erase_if(entry->second, is_over);
        entry = entry->second.empty() ? map.erase(entry) : std::next(entry);
    }
}

/// One that the trace does not name is no name.
void set_call(Job& job, StringId call, CallBasis basis)
{
    job.api_call = call;
    if (call != StringId{}) {
        job.api_call_basis = basis;
        job.api_calls = 1;
    }
}

/// Threads and processes that are looked through together at least.
constexpr std::size_t least_sweep = 1024;

} // namespace

template <typename Who>
Who& ApiCalls::find_or_add(std::vector<Who>& of_number, const Caller& caller)
{
    const auto found = std::ranges::find_if(
        of_number, [&](const Who& known) { return known.caller.is_alike(caller); });
    if (found == of_number.end()) {
        return of_number.emplace_back(Who{caller, {}, {}});
    }
    found->caller = caller; // the name of the latest
    return *found;
}

void ApiCalls::push(Spans& spans, const Span& span)
{
    if (spans.known.size() == most_spans) {
        spans.dropped_until = std::max(spans.dropped_until, spans.known.front().end);
        spans.known.pop_front();
    }
    spans.known.push_back(span);
}

void ApiCalls::on_call(const Actor& actor, Timestamp begin, Timestamp end, StringId call,
                       bool is_enqueue)
{
    if (!actor.tid) {
        return;
    }
    Thread& thread = find_or_add(x_threads[actor.tid->value()], x_matcher.caller_of(actor));
    Spans& spans = thread.calls;
    if (spans.known.empty() || spans.known.back().begin != begin) {
        // A call inside another returns before it; no thread is in two that overlap otherwise.
        thread.is_several =
            thread.is_several || (!spans.known.empty() && spans.known.back().begin < begin &&
                                  begin < spans.known.back().end);
        push(spans, {begin, end, call, is_enqueue});
        return;
    }
    Span& last = spans.known.back();
    last.end = std::max(last.end, end);
    if (is_enqueue || !last.is_enqueue) {
        last.call = call;
        last.is_enqueue = is_enqueue;
    }
}

void ApiCalls::on_command(const Actor& actor, Timestamp begin, std::optional<Timestamp> end,
                          StringId call)
{
    if (!actor.pid) {
        return;
    }
    Process& process = find_or_add(x_processes[actor.pid->value()], x_matcher.caller_of(actor));
    if (end) {
        push(process.ended, {begin, *end, call, true});
    } else {
        process.endless_since = std::min(process.endless_since.value_or(begin), begin);
    }
}

bool ApiCalls::forget(Spans& spans, Timestamp time)
{
    while (!spans.known.empty() && spans.known.front().end < time) {
        spans.known.pop_front();
    }
    return spans.known.empty() && spans.dropped_until < time;
}

/// Only when there are twice as many as were left the last time: going through all of them must
/// not cost more than what came in between.
void ApiCalls::forget_before(Timestamp time)
{
    if (x_threads.size() + x_processes.size() < x_sweep_at) {
        return;
    }
    erase_where(x_threads, [time](Thread& thread) { return forget(thread.calls, time); });
    erase_where(x_processes, [time](Process& process) {
        return forget(process.ended, time) && !process.endless_since;
    });
    x_sweep_at = std::max(least_sweep, 2 * (x_threads.size() + x_processes.size()));
}

/// One that was dropped may have been under way then.
bool ApiCalls::is_in_doubt(const Spans& spans, Timestamp time)
{
    return time <= spans.dropped_until;
}

const ApiCalls::Span* ApiCalls::find(const Spans& spans, Timestamp time)
{
    const auto found = std::ranges::lower_bound(spans.known, time, {}, &Span::end);
    return found != spans.known.end() && found->is_at(time) ? &*found : nullptr;
}

std::optional<CallPlace> ApiCalls::name(Job& job)
{
    std::optional<CallPlace> place;
    if (!job.queued || !job.actor.tid) {
        return place;
    }
    const auto by_thread = name_by_thread(job, place);
    if (by_thread == CallerMatch::Same) {
        return place;
    }
    if (job.actor.pid && is_helper(x_strings.at(job.actor.comm))) {
        name_by_process(job);
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

void ApiCalls::name_by_process(Job& job)
{
    const auto pid = x_matcher.own_pid(job.actor);
    const auto of_number = pid ? x_processes.find(pid->value()) : x_processes.end();
    if (of_number == x_processes.end()) {
        return;
    }
    std::optional<CallerMatch> next_best;
    for (const Process& process : of_number->second) {
        const CallerMatch match = x_matcher.match_process(job.actor, process.caller);
        if (match == CallerMatch::Same) {
            name_by_command(job, process);
            return;
        }
        if (was_busy(process, *job.queued)) {
            next_best = std::max(next_best.value_or(match), match);
        }
    }
    if (next_best) {
        count(*next_best);
    }
}

/// A command without a known end may be the one that made the job, as long as it runs.
void ApiCalls::name_by_command(Job& job, const Process& process)
{
    const Timestamp time = *job.queued;
    if (is_in_doubt(process.ended, time)) {
        x_anomalies.count(Anomaly::ApiCallAmbiguous);
        return;
    }
    const auto& ended = process.ended.known;
    const auto is_under_way = [time](const Span& span) { return span.is_at(time); };
    const auto under_way = std::ranges::count_if(ended, is_under_way);
    const bool has_endless = process.endless_since && *process.endless_since <= time;
    if (under_way == 1 && !has_endless) {
        set_call(job, std::ranges::find_if(ended, is_under_way)->call, CallBasis::OnlyCommand);
    } else if (under_way > 0) {
        x_anomalies.count(Anomaly::ApiCallAmbiguous);
    } else if (has_endless) {
        x_anomalies.count(Anomaly::ApiCallUntimed);
    }
}

} // namespace lttng_gpu::model
