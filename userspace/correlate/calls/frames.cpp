// SPDX-License-Identifier: MIT
//
// See frames.hpp. Whatever is kept has a limit: of the calls and jobs of a frame the oldest go
// first, and the figures that lack them are then unknown; of too many surfaces all are forgotten.
#include "frames.hpp"

#include <algorithm>
#include <utility>

namespace lttng_gpu::model {

void Frames::Lives::add(const JobLife& life)
{
    if (known.size() == most_lives) {
        known.erase(known.begin(), known.begin() + most_lives / 2);
        is_whole = false;
    }
    known.push_back(life);
}

void Frames::on_call(const Actor& actor, Timestamp begin, Timestamp end)
{
    if (!actor.tid || m_threads.empty()) {
        return;
    }
    const auto found = m_threads.find(thread_of(m_origins, actor));
    if (found == m_threads.end()) {
        return;
    }
    Thread& thread = found->second;
    if (thread.calls.size() == most_spans) {
        const auto dropped = thread.calls.begin() + most_spans / 2;
        for (auto call = thread.calls.begin(); call != dropped; ++call) {
            thread.dropped_until = std::max(thread.dropped_until, call->end);
        }
        thread.calls.erase(thread.calls.begin(), dropped);
    }
    thread.calls.push_back({begin, end});
}

Frames::Surface& Frames::surface_of(const ApiProcess& where, const Frame& frame)
{
    const SurfaceKey key{where, frame.surface};
    if (const auto found = m_surfaces.find(key); found != m_surfaces.end()) {
        return found->second;
    }
    if (m_surfaces.size() == most_surfaces) {
        forget_all();
    }
    Surface& surface = m_surfaces[key];
    surface.waits = &m_waits[where];
    const Caller caller = m_matcher.caller_of(frame.actor);
    auto& processes = m_by_pid[where.pid];
    auto process = std::ranges::find_if(
        processes, [&](const Process& known) { return known.caller.is_alike(caller); });
    if (process == processes.end()) {
        process = processes.insert(process, Process{caller, {}});
    }
    process->surfaces.push_back(&surface);
    return surface;
}

Frames::Thread& Frames::thread_of_frame(const Frame& frame, Surface& surface)
{
    const ThreadOfSpace id = thread_of(m_origins, frame.actor);
    const auto [place, is_new] = m_threads.try_emplace(id);
    Thread& thread = place->second;
    if (is_new) {
        m_by_tid[frame.actor.tid->value()].push_back(&thread);
    }
    thread.caller = m_matcher.caller_of(frame.actor);
    if (std::ranges::find(thread.surfaces, &surface) == thread.surfaces.end()) {
        thread.surfaces.push_back(&surface);
    }
    surface.thread = id;
    return thread;
}

/// Of a surface that was made again, and after lost events, the numbers do not follow each other.
void Frames::set_times(Pending& pending, const Surface& surface, Thread& thread) const
{
    Frame& frame = pending.frame;
    if (surface.last_end && frame.number == surface.last_number + 1 &&
        *surface.last_end <= frame.call_begin) {
        frame.begin = surface.last_end;
    }
    if (!frame.begin || *frame.begin < thread.dropped_until) {
        return;
    }
    for (const TimeSpan& call : thread.calls) {
        if (call.end > *frame.begin && call.begin < frame.end) {
            pending.calls.push_back(
                {std::max(call.begin, *frame.begin), std::min(call.end, frame.end)});
        }
    }
    pending.calls.push_back({frame.call_begin, frame.end});
    pending.calls = united(std::move(pending.calls));
    frame.in_calls = length_of(pending.calls);
    frame.in_calls_on_cpu = m_switches.on_cpu(frame.actor, pending.calls);
}

/// What ended before every frame of the thread that has not ended.
void Frames::forget_calls(Thread& thread)
{
    Timestamp oldest{INT64_MAX};
    for (const Surface* surface : thread.surfaces) {
        oldest = std::min(oldest, surface->last_end.value_or(oldest));
    }
    std::erase_if(thread.calls, [oldest](const TimeSpan& call) { return call.end <= oldest; });
}

void Frames::on_frame(const ApiProcess& where, const Frame& frame)
{
    if (!frame.actor.tid) {
        m_anomalies.count(Anomaly::EventWithoutIdentity);
        return;
    }
    Surface& surface = surface_of(where, frame);
    Thread& thread = thread_of_frame(frame, surface);
    Pending& pending = surface.pending.emplace_back(Pending{frame, {}, {}, {}});
    set_times(pending, surface, thread);
    surface.last_end = frame.end;
    surface.last_number = frame.number;
    pending.lives = std::exchange(thread.open, {});
    pending.commands = std::exchange(thread.open_commands, {});
    forget_calls(thread);
    m_order.push_back(&surface);
    if (m_order.size() > most_pending) {
        m_anomalies.count(Anomaly::FrameForgotten);
        decide_first();
    }
}

Frames::Thread* Frames::find_thread(const Job& job, const std::optional<CallPlace>& call)
{
    if (call) {
        if (const auto found = m_threads.find(call->thread); found != m_threads.end()) {
            return &found->second;
        }
        return nullptr;
    }
    const auto tid = m_matcher.own_tid(job.actor);
    const auto of_number = tid ? m_by_tid.find(tid->value()) : m_by_tid.end();
    if (of_number == m_by_tid.end()) {
        return nullptr;
    }
    for (Thread* thread : of_number->second) {
        if (m_matcher.match_thread(job.actor, thread->caller) == CallerMatch::Same) {
            return thread;
        }
    }
    return nullptr;
}

Frames::Surface* Frames::find_only_surface(const Job& job)
{
    const auto pid = m_matcher.own_pid(job.actor);
    const auto of_number = pid ? m_by_pid.find(pid->value()) : m_by_pid.end();
    if (of_number == m_by_pid.end()) {
        return nullptr;
    }
    for (const Process& process : of_number->second) {
        if (m_matcher.match_process(job.actor, process.caller) != CallerMatch::Same) {
            continue;
        }
        if (process.surfaces.size() == 1) {
            return process.surfaces.front();
        }
        Surface* only = nullptr;
        std::size_t active = 0;
        for (Surface* surface : process.surfaces) {
            const bool is_active = surface->last_end && *surface->last_end >= *job.queued;
            only = is_active ? surface : only;
            active += is_active ? 1 : 0;
        }
        if (active == 1) {
            return only;
        }
        m_anomalies.count(Anomaly::FrameJobUnplaced);
    }
    return nullptr;
}

Frames::Pending* Frames::find_pending(const Thread& thread, Timestamp time)
{
    Pending* first = nullptr;
    for (Surface* surface : thread.surfaces) {
        const auto found = std::ranges::lower_bound(
            surface->pending, time, {}, [](const Pending& pending) { return pending.frame.end; });
        if (found != surface->pending.end() &&
            (first == nullptr || found->frame.end < first->frame.end)) {
            first = &*found;
        }
    }
    return first;
}

void Frames::place(Thread& thread, Timestamp time, const JobLife& life)
{
    Pending* const pending = find_pending(thread, time);
    (pending != nullptr ? pending->lives : thread.open).add(life);
}

void Frames::on_wait(const ApiProcess& where, const TimeSpan& wait)
{
    if (const auto found = m_waits.find(where); found != m_waits.end()) {
        found->second.add(wait);
    }
}

/// Times come long after the call; frames wait for them (ApiJobs::release()).
void Frames::on_command(const Actor& caller, Timestamp returned, const Job& command)
{
    const auto found = caller.tid ? m_threads.find(thread_of(m_origins, caller)) : m_threads.end();
    if (found == m_threads.end()) {
        return;
    }
    Pending* const pending = find_pending(found->second, returned);
    auto& commands = pending != nullptr ? pending->commands : found->second.open_commands;
    if (commands.size() < most_lives) {
        commands.push_back(
            {command.started, command.completed, command.clock_error.value_or(Duration{})});
    }
}

void Frames::set_learned(Frame& frame, const Surface& surface)
{
    if (const auto end = frame.end_on_gpu()) {
        const Duration error = frame.gpu_end ? *frame.gpu_error : Duration{};
        frame.learned = surface.waits->learned(*end, error);
    }
}

void Frames::on_job(const Job& job, const std::optional<CallPlace>& call)
{
    if (!job.queued || m_surfaces.empty()) {
        return;
    }
    JobLife life{*job.queued,  job.submitted,     job.started, job.completed,
                 job.observed, job.interval == 0, false,       {job.ring, job.fence}};
    Thread* thread = find_thread(job, call);
    const Timestamp time = call && thread != nullptr ? call->end : *job.queued;
    if (thread == nullptr) {
        const Surface* const surface = find_only_surface(job);
        if (surface == nullptr) {
            return;
        }
        thread = &m_threads.at(surface->thread);
        life.is_by_time = true;
    }
    place(*thread, time, life);
}

/// The jobs of one frame may be under way in the next ones.
void Frames::decide_first()
{
    Surface& surface = *m_order.front();
    Pending pending = std::move(surface.pending.front());
    m_order.pop_front();
    surface.pending.pop_front();
    Frame& frame = pending.frame;
    Lives& lives = pending.lives;
    if (lives.is_whole) {
        sum_up(frame, lives.known);
        for (const JobLife& life : lives.known) {
            if (life.is_first) {
                frame.made.push_back(life.id);
            }
        }
    } else {
        m_anomalies.count(Anomaly::FrameForgotten);
    }
    if (frame.begin) { // else some may have come before the thread was known to show frames
        sum_up_commands(frame, pending.commands);
    }
    set_learned(frame, surface);
    for (const JobLife& life : lives.known) {
        surface.carried.add(life);
    }
    std::erase_if(surface.carried.known, [&](const JobLife& life) {
        return !life.completed || (frame.begin && *life.completed <= *frame.begin);
    });
    if (frame.in_calls) {
        frame.parts = parts_of(frame, pending.calls, surface.carried.known);
    }
    surface.history.judge(frame);
    frame.calls = std::move(pending.calls);
    m_sink.on_frame(frame);
}

void Frames::release(Timestamp safe)
{
    while (!m_order.empty() && m_order.front()->pending.front().frame.end + longest_delay < safe) {
        decide_first();
    }
}

void Frames::finish()
{
    while (!m_order.empty()) {
        decide_first();
    }
}

void Frames::forget_all()
{
    finish();
    m_anomalies.count(Anomaly::FrameForgotten);
    m_by_pid.clear();
    m_by_tid.clear();
    m_threads.clear();
    m_surfaces.clear();
    m_waits.clear();
}

} // namespace lttng_gpu::model
