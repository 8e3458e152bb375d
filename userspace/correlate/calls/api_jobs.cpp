// SPDX-License-Identifier: MIT
//
// See api_jobs.hpp. A command is never queued before its call began, and what is
// enqueued later cannot have earlier times; so rows from before the beginning of
// the oldest open command are safe. What begins a call and what ends it may be far
// apart only for functions that may block, and these tell of their beginning.
// How a command ends is in api_job_closing.cpp.
#include "api_jobs.hpp"

#include <algorithm>

namespace lttng_gpu::model {

ApiJobs::ApiJobs(RingTable& rings, AnomalyCounters& anomalies, JobTracker& tracker,
                 DeviceClocks& clocks, RowMerge& rows, StringPool& strings,
                 const trace::EnumerationTable& enumerations, const ActorOrigins& origins,
                 Machines& machines)
    : m_rings{rings}, m_anomalies{anomalies}, m_tracker{tracker}, m_clocks{clocks}, m_rows{rows},
      m_times{clocks, anomalies},
      m_dependencies{rows, anomalies}, m_origins{origins}, m_names{strings, enumerations},
      m_switches{CallerMatcher{origins, machines}, machines, origins}, m_groups{strings},
      m_learned{rows}, m_calls{strings, anomalies, CallerMatcher{origins, machines},
                               rows.estimates_calls()},
      m_frames{rows, anomalies, origins, CallerMatcher{origins, machines}, m_switches},
      m_teller{rows, origins}, m_waits{rows, clocks}, m_named_waits{rows}
{
    rows.expect_commands(m_calls, m_frames, m_learned, m_groups);
}

ApiJobs::Process& ApiJobs::process(const ApiProcess& where)
{
    if (m_last_process != nullptr && m_last_process->id == where) {
        return *m_last_process;
    }
    auto& place = m_processes[where];
    if (!place) {
        place = std::make_unique<Process>(m_rings, where);
    }
    m_last_process = place.get();
    return *place;
}

/// Commands are numbered in each process: it is their timeline.
FenceId ApiJobs::fence_of(const Process& process, std::uint64_t command)
{
    const auto pid = std::max<std::int64_t>(process.id.pid, 0);
    return {FenceContext{static_cast<std::uint64_t>(pid)}, FenceSeqno{command}};
}

Timestamp ApiJobs::begin_of(const Command& command)
{
    const CommandEnqueued& enqueued = command.enqueued;
    const Timestamp begin = enqueued.begin.value_or(enqueued.returned);
    return std::min(begin, enqueued.queued.value_or(begin));
}

/// Numbers ascend in a process and are given while the call is under way. One that is not
/// above a number given before that call is another program's: the pid was used
/// again, or the process became another program. Nothing more comes of the one before.
void ApiJobs::find_successor(Process& process, const CommandEnqueued& event)
{
    if (event.begin && event.command <= process.newest && process.newest_given < *event.begin) {
        std::vector<Open> left;
        for (const auto& [number, command] : process.commands) {
            if (!command.is_done) {
                left.push_back({begin_of(command), command.place, &process, number});
            }
        }
        for (const Open& open : left) {
            give_up(open, Anomaly::CommandNeverReported);
        }
        process.commands.clear();
        process.newest = 0;
    }
    note_number(process, event.command, event.returned);
}

void ApiJobs::note_number(Process& process, std::uint64_t command, Timestamp given)
{
    if (command > process.newest) {
        process.newest = command;
        process.newest_given = given;
    }
}

void ApiJobs::on_enqueue(const ApiProcess& where, const CommandEnqueued& event)
{
    Process& process = this->process(where);
    find_successor(process, event);
    const auto [place, is_new] = process.commands.try_emplace(event.command);
    if (!is_new) {
        m_anomalies.count(Anomaly::DuplicateQueue);
        return;
    }
    Command& command = place->second;
    command.enqueued = event;
    command.place = m_places++;
    if (event.actor.tid) {
        m_waits.settle(thread_of(m_origins, event.actor));
    }
    const ApiQueue& queue = process.objects.queue(event.queue);
    Job& job = command.job;
    command.queue = queue.number;
    ++process.ends_of(queue.number).open;
    job.ring = queue.ring;
    job.actor = event.actor;
    job.fence = fence_of(process, event.command);
    set_call(job, event.api_call, CallBasis::SameThread);
    if (event.begin && event.actor.tid) {
        job.debug_group =
            m_groups.find({thread_of(m_origins, event.actor), *event.begin, event.returned});
    }
    job.called = event.returned;
    job.bytes = event.bytes;
    job.queued = event.is_queued_known ? event.queued : std::nullopt;
    job.submitted = event.submitted;
    if (command.enqueued.waits_for.size() > most_waits_for) {
        m_anomalies.count(Anomaly::DependencyDropped,
                          command.enqueued.waits_for.size() - most_waits_for);
        command.enqueued.waits_for.resize(most_waits_for);
    }
    m_open.insert({begin_of(command), command.place, &process, event.command});
    if (event.actor.tid) {
        m_calls_open.erase(thread_of(m_origins, event.actor));
    }
    if (event.begin) {
        const bool is_sync = event.is_blocking && queue.is_in_order();
        note_call({event.actor, event.api_call, *event.begin, event.returned}, true,
                  {event.queue, is_sync});
    }
    if (!(queue.is_timed && event.is_timed) && m_clocks.use() != DeviceClocks::Use::Learning) {
        give_up(*m_open.find({begin_of(command), command.place, nullptr, 0}),
                Anomaly::CommandUntimed);
    } else if (m_open.size() > most_open) {
        give_up(*m_open.begin(), Anomaly::CommandForgotten);
    }
}

void ApiJobs::on_times(const ApiProcess& where, const CommandReported& event)
{
    Process& process = this->process(where);
    auto found = process.commands.find(event.command);
    const bool is_late = found != process.commands.end() && found->second.is_done;
    const bool is_enqueued = found != process.commands.end() && !is_late;
    if (is_late) {
        m_anomalies.count(Anomaly::DuplicateComplete);
        return;
    }
    if (!is_enqueued) { // before the trace began, or in a gap
        found = process.commands.try_emplace(event.command).first;
        Job& job = found->second.job;
        job.ring = process.objects.queue(event.queue).ring;
        job.actor = {event.actor.pid, {}, {}, event.actor.origin};
        job.fence = fence_of(process, event.command);
        job.called = event.seen;
        note_number(process, event.command, event.seen);
    }
    Command& command = found->second;
    command.clock =
        m_times.set(process.objects, command.job, event, is_enqueued ? &command.enqueued : nullptr);
    if (event.has_failed) {
        command.job.fault = Fault::Error;
        m_anomalies.count(Anomaly::JobFailed);
    }
    command.job.observed = event.observed;
    if (is_enqueued) {
        if (event.actor.tid) {
            m_waits.note_end(thread_of(m_origins, event.actor), command.enqueued.begin,
                             command.job);
        }
        erase_open(process, command);
    }
    close(process, command);
}

void ApiJobs::on_untimed(const ApiProcess& where, std::uint64_t handle, std::uint64_t count)
{
    if (m_clocks.use() == DeviceClocks::Use::Learning) {
        return;
    }
    Process& process = this->process(where);
    ApiQueue& queue = process.objects.queue(handle);
    queue.untimed_told += std::min(count, UINT64_MAX - queue.untimed_told);
    std::vector<Open> open;
    for (const auto& [number, command] : process.commands) {
        if (!command.is_done && command.enqueued.queue == handle) {
            open.push_back({begin_of(command), command.place, &process, number});
        }
    }
    // Which ones is not told; once it is all of those left, it is clear.
    if (!open.empty() && queue.untimed_told - queue.untimed_known >= open.size()) {
        queue.untimed_known += open.size();
        for (const Open& command : open) {
            give_up(command, Anomaly::CommandUntimed);
        }
    }
}

void ApiJobs::on_user_event(const ApiProcess& where, std::uint64_t number, Timestamp set)
{
    Process& process = this->process(where);
    const auto [place, is_new] = process.commands.try_emplace(number);
    if (!is_new) {
        if (place->second.job.ring) { // the number of a command that is in a queue
            m_anomalies.count(Anomaly::DuplicateComplete);
        }
        return;
    }
    Command& command = place->second;
    command.is_done = true;
    command.job.fence = fence_of(process, number);
    if (where.pid >= 0) {
        command.job.actor.pid = Pid{where.pid};
    }
    command.job.completed = set;
    remember_done(process, number);
}

void ApiJobs::on_device_clock(const ApiProcess& where, std::uint64_t device,
                              const ClockReading& reading, Timestamp seen)
{
    if (m_clocks.use() == DeviceClocks::Use::Learned) {
        return;
    }
    const ApiObjects& known = objects(where);
    m_clocks.at(known.clock_of(device), known.resolution_of(device))
        .clock.add(std::span{&reading, 1}, seen);
}

void ApiJobs::on_call_begin(const Actor& actor, Timestamp begin)
{
    if (!actor.tid) {
        return;
    }
    m_waits.settle(thread_of(m_origins, actor));
    if (m_calls_open.size() < most_calls_open) {
        m_calls_open[thread_of(m_origins, actor)] = begin;
    }
}

void ApiJobs::note_call(ReturnedCall call, bool is_enqueue, const SubmitDetail& detail)
{
    call.on_cpu = m_switches.on_cpu(call.actor, TimeSpan{call.begin, call.end});
    m_calls.on_call(call.actor, call.begin, call.end, call.name, is_enqueue, detail);
    m_frames.on_call(call.actor, call.begin, call.end);
    m_rows.on_call({call.actor, call.begin, call.end, call.name, is_enqueue});
    m_teller.on_call(call, is_enqueue);
}

void ApiJobs::on_frame(const ApiProcess& where, const Frame& frame)
{
    on_call(where, {frame.actor, frame.call_begin, frame.end, frame.function});
    m_frames.on_frame(where, frame);
    auto& ends = process(where).frame_ends;
    if (ends.size() == most_contexts) {
        ends.clear();
    }
    ends[frame.context] = frame.end;
}

bool ApiJobs::is_in_frame(const ApiProcess& where, std::uint64_t context, Timestamp time)
{
    const auto& ends = process(where).frame_ends;
    const auto last = ends.find(context);
    return last == ends.end() || last->second < time;
}

void ApiJobs::on_call(const ApiProcess& where, const CallReturned& event)
{
    note_call({event.actor, event.call, event.begin, event.end, event.error}, false,
              {event.awaited != nullptr ? event.awaited->queue : 0, false, event.is_poll,
               event.error != 0});
    const Wait wait{event.actor, {}, {}, event.begin, event.end, {}};
    if (!event.actor.tid) {
        if (event.is_wait) {
            m_rows.on_wait(wait);
        }
        return;
    }
    const ThreadOfSpace thread = thread_of(m_origins, event.actor);
    m_waits.settle(thread);
    if (event.is_wait) {
        m_frames.on_wait(where, {event.begin, event.end});
        tell_wait(process(where), thread, wait, event.awaited);
        if (event.error == 0 && m_clocks.use() != DeviceClocks::Use::Learning) {
            learn_from(process(where), event);
        }
    }
    m_calls_open.erase(thread);
}

void ApiJobs::release(Timestamp now)
{
    Timestamp held = now;
    for (const auto& [thread, begin] : m_calls_open) {
        held = std::min(held, begin);
    }
    m_calls.set_known_until(held);
    if (!m_open.empty()) {
        held = std::min(held, m_open.begin()->begin);
    }
    if (m_clocks.use() == DeviceClocks::Use::OnTheWay) {
        held = std::max(held, earlier(now, longest_hold));
    }
    held = std::min(held, m_calls.undecided_since().value_or(held));
    m_rows.release(std::min({held, earlier(now, longest_call), m_tracker.oldest_row()}));
}

void ApiJobs::finish()
{
    m_waits.finish();
    m_teller.finish();
    while (!m_open.empty()) {
        give_up(*m_open.begin(), Anomaly::CommandNeverReported);
    }
    m_dependencies.finish();
    m_named_waits.finish();
    m_rows.finish();
}

} // namespace lttng_gpu::model
