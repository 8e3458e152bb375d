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
    if (spans.size() == most_spans) {
        spans.pop_front();
    }
    spans.push_back(span);
}

void ApiCalls::on_call(const Actor& actor, Timestamp begin, Timestamp end, StringId call,
                       bool is_enqueue)
{
    if (!actor.tid) {
        return;
    }
    Spans& spans = x_threads[actor.tid->value()];
    if (!spans.empty() && spans.back().begin == begin) {
        spans.back().end = std::max(spans.back().end, end);
        if (is_enqueue || !spans.back().is_enqueue) {
            spans.back().call = call;
            spans.back().is_enqueue = is_enqueue;
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

void ApiCalls::forget(Spans& spans, Timestamp time)
{
    while (!spans.empty() && spans.front().end < time) {
        spans.pop_front();
    }
}

void ApiCalls::forget_before(Timestamp time)
{
    for (auto& [number, spans] : x_threads) {
        forget(spans, time);
    }
    for (auto& [number, commands] : x_processes) {
        forget(commands.ended, time);
    }
}

void ApiCalls::name(Job& job)
{
    if (!job.queued || !job.actor.tid) {
        return;
    }
    const Timestamp time = *job.queued;
    if (const auto thread = x_threads.find(job.actor.tid->value()); thread != x_threads.end()) {
        const auto found = std::ranges::lower_bound(thread->second, time, {}, &Span::end);
        if (found != thread->second.end() && found->is_at(time)) {
            job.api_call = found->call;
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
    const auto is_under_way = [time](const Span& span) { return span.is_at(time); };
    const auto under_way = std::ranges::count_if(commands.ended, is_under_way);
    const bool has_endless = commands.endless_since && *commands.endless_since <= time;
    if (under_way == 1 && !has_endless) {
        job.api_call = std::ranges::find_if(commands.ended, is_under_way)->call;
    } else if (under_way > 0) {
        x_anomalies.count(Anomaly::ApiCallAmbiguous);
    } else if (has_endless) {
        x_anomalies.count(Anomaly::ApiCallUntimed);
    }
}

} // namespace lttng_gpu::model
