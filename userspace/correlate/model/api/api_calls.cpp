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

} // namespace

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
    Spans& spans = x_threads[actor.tid->value()];
    if (!spans.known.empty() && spans.known.back().begin == begin) {
        Span& last = spans.known.back();
        last.end = std::max(last.end, end);
        if (is_enqueue || !last.is_enqueue) {
            last.call = call;
            last.is_enqueue = is_enqueue;
        }
        return;
    }
    push(spans, {begin, end, call, is_enqueue});
}

void ApiCalls::on_command(const Actor& actor, Timestamp begin, std::optional<Timestamp> end,
                          StringId call)
{
    if (!actor.pid) {
        return;
    }
    Commands& commands = x_processes[actor.pid->value()];
    if (end) {
        push(commands.ended, {begin, *end, call, true});
    } else {
        commands.endless_since = std::min(commands.endless_since.value_or(begin), begin);
    }
}

bool ApiCalls::forget(Spans& spans, Timestamp time)
{
    while (!spans.known.empty() && spans.known.front().end < time) {
        spans.known.pop_front();
    }
    return spans.known.empty() && spans.dropped_until < time;
}

void ApiCalls::forget_before(Timestamp time)
{
    for (auto entry = x_threads.begin(); entry != x_threads.end();) {
        entry = forget(entry->second, time) ? x_threads.erase(entry) : std::next(entry);
    }
    for (auto entry = x_processes.begin(); entry != x_processes.end();) {
        const bool is_over = forget(entry->second.ended, time) && !entry->second.endless_since;
        entry = is_over ? x_processes.erase(entry) : std::next(entry);
    }
}

/// One that was dropped may have been under way then.
bool ApiCalls::is_in_doubt(const Spans& spans, Timestamp time)
{
    if (time > spans.dropped_until) {
        return false;
    }
    x_anomalies.count(Anomaly::ApiCallAmbiguous);
    return true;
}

void ApiCalls::name(Job& job)
{
    if (!job.queued || !job.actor.tid) {
        return;
    }
    const Timestamp time = *job.queued;
    if (const auto thread = x_threads.find(job.actor.tid->value()); thread != x_threads.end()) {
        const auto& known = thread->second.known;
        const auto found = std::ranges::lower_bound(known, time, {}, &Span::end);
        if (found != known.end() && found->is_at(time)) {
            job.api_call = found->call;
            return;
        }
        if (is_in_doubt(thread->second, time)) {
            return;
        }
    }
    const auto process =
        job.actor.pid ? x_processes.find(job.actor.pid->value()) : x_processes.end();
    if (process != x_processes.end() && is_helper(x_strings.at(job.actor.comm))) {
        name_by_command(job, process->second);
    }
}

/// A command without a known end may be the one that made the job, as long as it runs.
void ApiCalls::name_by_command(Job& job, const Commands& commands)
{
    const Timestamp time = *job.queued;
    if (is_in_doubt(commands.ended, time)) {
        return;
    }
    const auto& ended = commands.ended.known;
    const auto is_under_way = [time](const Span& span) { return span.is_at(time); };
    const auto under_way = std::ranges::count_if(ended, is_under_way);
    const bool has_endless = commands.endless_since && *commands.endless_since <= time;
    if (under_way == 1 && !has_endless) {
        job.api_call = std::ranges::find_if(ended, is_under_way)->call;
    } else if (under_way > 0) {
        x_anomalies.count(Anomaly::ApiCallAmbiguous);
    } else if (has_endless) {
        x_anomalies.count(Anomaly::ApiCallUntimed);
    }
}

} // namespace lttng_gpu::model
