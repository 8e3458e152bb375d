// SPDX-License-Identifier: MIT
//
// See api_calls.hpp.
#include "api_calls.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// std::erase_if() of a map shows its entries as constants.
template <typename Who, typename IsOver>
void erase_where(std::unordered_map<std::int64_t, std::vector<Who>>& map, IsOver is_over)
{
    for (auto entry = map.begin(); entry != map.end();) {
        std::erase_if(entry->second, is_over);
        entry = entry->second.empty() ? map.erase(entry) : std::next(entry);
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
    constexpr std::size_t many = most_spans / 2;
    m_is_crowded = m_is_crowded || (spans.known.size() > many &&
                                    spans.known[spans.known.size() - many].end >= m_forgotten);
}

void ApiCalls::on_call(const Actor& actor, Timestamp begin, Timestamp end, StringId call,
                       bool is_enqueue, const SubmitDetail& detail)
{
    if (!actor.tid) {
        return;
    }
    Thread& thread = find_or_add(m_threads[actor.tid->value()], m_matcher.caller_of(actor));
    Spans& spans = thread.calls;
    if (spans.known.empty()) {
        note_caller(thread.caller);
    }
    if (spans.known.empty() || spans.known.back().begin != begin) {
        // A call inside another returns before it; no thread is in two that overlap otherwise.
        thread.is_several =
            thread.is_several || (!spans.known.empty() && spans.known.back().begin < begin &&
                                  begin < spans.known.back().end);
        push(spans, {begin, end, call, is_enqueue, detail});
        note_submit(actor, spans.known.back());
        return;
    }
    Span& last = spans.known.back();
    last.end = std::max(last.end, end);
    if (is_enqueue || !last.is_enqueue) {
        last.call = call;
        last.is_enqueue = is_enqueue;
    }
}

Submitting ApiCalls::submitting_by(const Span& span)
{
    const std::size_t name = span.call.value();
    if (m_submitting.size() <= name) {
        m_submitting.resize(name + 1);
    }
    Submitting& known = m_submitting[name];
    if (known == Submitting::Unknown) {
        const std::string_view text = m_strings.at(span.call);
        known = submitting_of(text.substr(0, text.find('('))); // without kernels and labels
        if (known == Submitting::No && span.is_enqueue) {
            known = text.starts_with("vk") ? Submitting::Vulkan : Submitting::Compute;
        }
    }
    return known;
}

/// OpenCL on the CPU makes no jobs: where a program also draws, its jobs are those of the drawing.
void ApiCalls::note_submit(const Actor& actor, const Span& span)
{
    const Submitting known = submitting_by(span);
    if (known == Submitting::No || span.detail.is_poll || !actor.pid) {
        return;
    }
    const std::string_view name = m_strings.at(span.call);
    SubmitCall call{actor.tid->value(), span.begin, span.end, span.call, {}, span.detail};
    call.detail.is_sync = !span.detail.has_failed &&
                          (span.detail.is_sync || name == "clFinish" || name == "glFinish");
    const bool is_rare = known == Submitting::RarelyGraphics;
    const bool is_unsure = is_rare || known == Submitting::MayGraphics;
    const Submitting submitting = is_unsure ? Submitting::Graphics : known;
    Process& process = find_or_add(m_processes[actor.pid->value()], m_matcher.caller_of(actor));
    note_open(process, call, known);
    if (is_unsure && process.submitting == Submitting::Vulkan) {
        return; // OpenGL that is made of Vulkan submits in Vulkan's calls
    }
    if (is_rare && (process.submitting != Submitting::Graphics ||
                    !process.submits.has_caller(actor.tid->value()))) {
        return;
    }
    if (submitting == Submitting::Compute && process.submitting > Submitting::Compute) {
        return;
    }
    if (submitting > Submitting::Compute && process.submitting == Submitting::Compute) {
        process.submits = SubmitQueue{};
        process.executions = ExecutionMatch{};
    }
    process.submitting = std::max(process.submitting, submitting);
    if (!m_estimates) {
        return;
    }
    if (!process.is_met) {
        process.is_met = true;
        announce_early_jobs(process);
    }
    if (is_unsure) {
        call.role = SubmitRole::May;
    } else if (submitting == Submitting::Compute) {
        call.role = span.is_enqueue ? SubmitRole::Command : SubmitRole::Other;
    }
    process.submits.add_call(call);
}

/// Whatever may make a driver submit. What is complete when a call of OpenCL's has waited, only its
/// queue tells. OpenGL's contexts are left by calls that say so.
void ApiCalls::note_open(Process& process, const SubmitCall& call, Submitting submitting)
{
    const bool is_of_queue = submitting == Submitting::Compute && call.detail.queue != 0;
    SubmitCall noted = call;
    noted.detail.is_sync =
        call.detail.is_sync && (submitting != Submitting::Compute || is_of_queue);
    process.open.add(noted, is_of_queue);
    if (m_strings.at(call.name).find("MakeC") != std::string_view::npos) {
        process.open.on_context(call.tid, call.end);
    }
}

void ApiCalls::on_loss(TraceId trace)
{
    for (auto& [pid, processes] : m_processes) {
        for (Process& process : processes) {
            if (process.caller.trace == trace) {
                process.open.on_loss();
            }
        }
    }
}

void ApiCalls::announce_to(Process& process, const Job& job, std::uint64_t serial)
{
    process.submits.announce(job, serial);
    process.executions.add_job(job, serial);
}

void ApiCalls::announce_early_jobs(Process& process)
{
    std::erase_if(m_early, [&](const EarlyJob& early) {
        std::optional<CallerMatch> next_best;
        if (find_process(early.job.actor, *early.job.queued, next_best) != &process) {
            return false;
        }
        if (is_helper(early.job.actor, process)) {
            announce_to(process, early.job, early.serial);
        }
        return true;
    });
}

void ApiCalls::on_command(const Actor& actor, Timestamp begin, std::optional<Timestamp> end,
                          StringId call)
{
    if (!actor.pid) {
        return;
    }
    Process& process = find_or_add(m_processes[actor.pid->value()], m_matcher.caller_of(actor));
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
std::optional<Timestamp> ApiCalls::undecided_since()
{
    std::optional<Timestamp> earliest;
    if (!m_estimates) {
        return earliest;
    }
    const Timestamp horizon = std::min(m_known_until, m_announced_until);
    for (auto& [pid, processes] : m_processes) {
        for (Process& process : processes) {
            const auto since =
                m_is_crowded ? std::nullopt : process.submits.undecided_since(horizon);
            if (since) {
                earliest = std::min(earliest.value_or(*since), *since);
            }
        }
    }
    return earliest;
}

void ApiCalls::forget_before(Timestamp time)
{
    m_forgotten = std::max(m_forgotten, time);
    m_is_crowded = false;
    while (!m_early.empty() && first_time(m_early.front().job) < time) {
        m_early.pop_front();
    }
    if (m_threads.size() + m_processes.size() < m_sweep_at) {
        return;
    }
    erase_where(m_threads, [time](Thread& thread) { return forget(thread.calls, time); });
    erase_where(m_processes, [time](Process& process) {
        process.open.forget_before(time);
        process.submits.forget_before(time);
        process.executions.forget_before(time);
        return forget(process.ended, time) && !process.endless_since && process.open.is_empty() &&
               process.submits.is_empty() && process.executions.is_empty();
    });
    m_sweep_at = std::max(least_sweep, 2 * (m_threads.size() + m_processes.size()));
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

bool ApiCalls::is_helper(const Actor& actor, const Process& process) const
{
    // Threads of Vulkan drivers have the name of the thread that made them.
    return is_helper_name(m_strings.at(actor.comm)) || process.submitting == Submitting::Vulkan;
}

ApiCalls::Process* ApiCalls::find_process(const Actor& actor, Timestamp time,
                                          std::optional<CallerMatch>& next_best)
{
    const auto pid = m_matcher.own_pid(actor);
    const auto of_number = pid ? m_processes.find(pid->value()) : m_processes.end();
    if (of_number == m_processes.end()) {
        return nullptr;
    }
    for (Process& process : of_number->second) {
        const CallerMatch match = m_matcher.match_process(actor, process.caller);
        if (match == CallerMatch::Same) {
            return &process;
        }
        if (was_busy(process, time)) {
            next_best = std::max(next_best.value_or(match), match);
        }
    }
    return nullptr;
}

void ApiCalls::on_sleep(const Actor& actor, Timestamp time)
{
    if (!m_estimates || !actor.pid || !actor.tid) {
        return;
    }
    std::optional<CallerMatch> next_best;
    Process* const process = find_process(actor, time, next_best);
    if (process != nullptr && process->submits.has_calls() && is_helper(actor, *process)) {
        process->submits.add_sleep(time, actor.tid->value());
    }
}

void ApiCalls::on_ioctl(const Actor& actor, Timestamp begin, Timestamp end)
{
    m_account.has_ioctls = true;
    if (!m_estimates || !actor.pid || !actor.tid) {
        return;
    }
    std::optional<CallerMatch> next_best;
    Process* const process = find_process(actor, end, next_best);
    if (process != nullptr && is_helper(actor, *process)) {
        process->submits.add_ioctl(actor.tid->value(), begin, end);
    }
}

/// OpenCL on the CPU makes no jobs, see note_submit(). Times of OpenGL are those of frames and of
/// parts of them, which no job is, and HSA's packets bypass the kernel.
void ApiCalls::on_execution(const Actor& actor, const TimedCommand& command, bool has_times)
{
    if (!actor.pid || !actor.tid) {
        return;
    }
    Process& process = find_or_add(m_processes[actor.pid->value()], m_matcher.caller_of(actor));
    const std::string_view name = m_strings.at(command.call.name);
    if (name.starts_with("vk") ||
        (name.starts_with("cl") && process.submitting <= Submitting::Compute)) {
        m_account.has_device_times = m_account.has_device_times || has_times;
        if (!m_estimates) {
            return;
        }
        has_times ? process.executions.add_command(command)
                  : process.executions.add_untimed(command.call.begin);
    }
}

void ApiCalls::on_wakeup(const Actor& waker, Timestamp time, Tid woken)
{
    m_account.has_sched = true;
    if (!m_estimates || !waker.pid || !waker.tid) {
        return;
    }
    std::optional<CallerMatch> next_best;
    Process* const process = find_process(waker, time, next_best);
    if (process != nullptr && process->submits.has_calls()) {
        process->submits.add_wake(time, m_matcher.own_tid(waker)->value(), woken.value());
    }
}

void ApiCalls::announce(const Job& job, std::uint64_t serial)
{
    m_announced_until = std::max(m_announced_until, first_time(job));
    if (!m_estimates || !job.queued || !job.actor.tid || !job.actor.pid || job.interval > 0) {
        return;
    }
    std::optional<CallerMatch> next_best;
    Process* const process = find_process(job.actor, *job.queued, next_best);
    if (process == nullptr || !process->is_met) {
        if (m_early.size() == most_early) {
            m_early.pop_front();
        }
        m_early.push_back({job, serial});
    } else if (is_helper(job.actor, *process)) {
        announce_to(*process, job, serial);
    }
}

void ApiCalls::finish()
{
    m_known_until = m_announced_until = Timestamp{INT64_MAX};
}

} // namespace lttng_gpu::model
