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

void ApiCalls::on_command(const Actor& actor, Timestamp begin, Timestamp end, StringId call)
{
    if (actor.pid) {
        push(x_processes[actor.pid->value()], {begin, end, call, true});
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
    for (auto* table : {&x_threads, &x_processes}) {
        for (auto entry = table->begin(); entry != table->end();) {
            entry = forget(entry->second, time) ? table->erase(entry) : std::next(entry);
        }
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
    const auto is_inside = [time](const Span& span) {
        return span.begin <= time && time <= span.end;
    };
    if (const auto thread = x_threads.find(job.actor.tid->value()); thread != x_threads.end()) {
        const auto& known = thread->second.known;
        const auto found = std::ranges::lower_bound(known, time, {}, &Span::end);
        if (found != known.end() && is_inside(*found)) {
            job.api_call = found->call;
            return;
        }
        if (is_in_doubt(thread->second, time)) {
            return;
        }
    }
    const auto process =
        job.actor.pid ? x_processes.find(job.actor.pid->value()) : x_processes.end();
    if (process == x_processes.end() || !is_helper(x_strings.at(job.actor.comm))) {
        return;
    }
    if (is_in_doubt(process->second, time)) {
        return;
    }
    const auto& known = process->second.known;
    const auto under_way = std::ranges::count_if(known, is_inside);
    if (under_way == 1) {
        job.api_call = std::ranges::find_if(known, is_inside)->call;
    } else if (under_way > 1) {
        x_anomalies.count(Anomaly::ApiCallAmbiguous);
    }
}

} // namespace lttng_gpu::model
