// SPDX-License-Identifier: MIT
//
// See analysis.hpp. Here: what a frame's time was spent with. As long as its thread ran, could
// have run or slept, that is what its states and waits say; while it waited for a job, the life of
// that job is the root. What remains of its jobs when the last call has returned is their life.
#include "analysis.hpp"

#include <algorithm>

namespace lttng_gpu::diagnose {
namespace {

constexpr std::size_t most_jobs = 256; // of a frame that are diagnosed

} // namespace

FrameDiagnosis Analysis::diagnose(const model::Frame& frame, const std::vector<RowId>& made,
                                  Timestamp trace_end) const
{
    FrameDiagnosis diagnosis;
    diagnosis.frame = frame;
    diagnosis.begin = *frame.begin;
    diagnosis.end = frame.end;
    RowId last = no_row;
    for (const RowId row : made) {
        const Timestamp end = std::min(end_of(m_jobs.at(row).job), trace_end);
        diagnosis.is_open |= end_of(m_jobs.at(row).job) == never;
        if (end > diagnosis.end) {
            diagnosis.end = end;
            last = row;
        }
    }
    m_looked_at = 0;
    const FrameThread thread = frame_thread(frame, made);
    Cut cut{m_threads.lost(), thread.like.trace, nullptr};
    Timestamp at = *frame.begin;
    const bool are_calls_known = frame.in_calls.has_value();
    for (const TimeSpan& call : frame.calls) {
        frame_piece(cut, thread, PlaceInFrame::Outside, at, call.begin);
        frame_piece(cut, thread, PlaceInFrame::InCall, call.begin, call.end);
        at = std::max(at, call.end);
    }
    const Timestamp last_call = std::max(at, frame.call_begin);
    frame_piece(cut, thread, are_calls_known ? PlaceInFrame::Outside : PlaceInFrame::None, at,
                std::min(last_call, frame.end));
    frame_piece(cut, thread, PlaceInFrame::InCall, last_call, frame.end);
    if (last != no_row) {
        cut.set_place(PlaceInFrame::AfterCall);
        life(cut, last, frame.end, diagnosis.end, 0);
    }
    diagnosis.parts = cut.take();
    for (const RowId row : made) {
        if (diagnosis.jobs.size() == most_jobs) {
            ++diagnosis.jobs_left_out;
        } else {
            diagnosis.jobs.push_back(diagnose(row, trace_end));
        }
    }
    std::ranges::stable_sort(diagnosis.jobs, std::ranges::greater{}, &Diagnosis::latency);
    return diagnosis;
}

/// By the number of the thread that gave one of its jobs. Where none did, that number may hold
/// elsewhere (in a container), so the name must be the same.
Analysis::FrameThread Analysis::frame_thread(const model::Frame& frame,
                                             const std::vector<RowId>& made) const
{
    FrameThread thread;
    model::Job& like = thread.like.job;
    bool is_certain = false;
    for (const RowId id : made) {
        const Row& row = m_jobs.at(id);
        if (!like.ring || row.job.actor.tid == frame.actor.tid) {
            thread.like.trace = row.trace;
            like.ring = row.job.ring;
            like.actor = row.job.actor;
            is_certain = row.job.actor.tid == frame.actor.tid;
        }
    }
    if (!like.ring) {
        like.actor = frame.actor;
    }
    like.actor.tid = frame.actor.tid;
    like.actor.comm = frame.actor.comm;
    if (frame.actor.tid) {
        const std::string_view name = m_rings.text(frame.actor.comm);
        thread.id = m_threads.find({thread.like.trace, *frame.actor.tid}, name);
        if (thread.id && !is_certain && !m_threads.is_named(*thread.id, name)) {
            thread.id = {};
        }
    }
    thread.done = std::max(frame.call_begin,
                           frame.completed.value_or(made.empty() ? frame.call_begin : never));
    return thread;
}

void Analysis::frame_piece(Cut& cut, const FrameThread& thread, PlaceInFrame place, Timestamp begin,
                           Timestamp end) const
{
    cut.set_place(place);
    Timestamp at = begin;
    for (const model::Wait& wait : m_jobs.waits(thread.like.job.actor, begin, end)) {
        const Timestamp from = std::clamp(wait.begin, at, std::max(at, end));
        const Timestamp to = std::clamp(wait.end, from, std::max(from, end));
        frame_states(cut, thread, place, at, from);
        cut.set_place(place);
        frame_wait(cut, thread, wait, from, to);
        at = to;
    }
    frame_states(cut, thread, place, at, end);
}

void Analysis::frame_wait(Cut& cut, const FrameThread& thread, const model::Wait& wait,
                          Timestamp begin, Timestamp end) const
{
    const Timestamp signaled = std::clamp(wait.signaled.value_or(wait.end), begin, end);
    const RowId of = m_jobs.find(thread.like.trace, wait.fence);
    const bool is_own =
        m_jobs.owner(thread.like.trace, wait.fence) == m_jobs.process_of(thread.like.job);
    Part part;
    part.reason = is_own ? Reason::OwnWait : Reason::Dependency;
    part.ring = wait.ring;
    part.fence = wait.fence;
    part.thread = wait.actor.tid;
    part.jobs = 1;
    if (of != no_row) {
        part.actor = m_jobs.at(of).job.actor;
        Cut root = cut.sub();
        life(root, of, begin, signaled, 1);
        part.root = root.take();
    } else if (is_own) {
        part.actor = thread.like.job.actor;
    }
    cut.add(part, begin, signaled);
    // It was told, but has not gone on yet.
    OwnWait all{Duration{INT64_MAX}};
    thread_states(cut, thread.like, wait.actor, signaled, end, all);
}

void Analysis::unseen_frame_wait(Cut& cut, RowId row, Timestamp begin, Timestamp end) const
{
    Part part = part_of(Reason::OwnWait, m_jobs.at(row).job);
    part.is_inferred = true;
    Cut root = cut.sub();
    life(root, row, begin, std::clamp(end_of(m_jobs.at(row).job), begin, end), 1);
    part.root = root.take();
    cut.add(part, begin, end);
}

/// The job at whose end a thread that slept until `end` was woken. Not all waits have events.
RowId Analysis::woken_by(const FrameThread& thread, Timestamp begin, Timestamp end) const
{
    RowId found = no_row;
    if (!thread.like.job.ring || !may_go_on(1)) {
        return found;
    }
    for (const RowId row : m_jobs.of_process(m_jobs.process_of(thread.like.job), begin, end)) {
        const Timestamp ended = end_of(m_jobs.at(row).job);
        if (ended > begin && ended <= end && end - ended <= usual_handover) {
            found = row;
        }
    }
    return found;
}

/// It may have waited for the display, which waited for a job: of those of its process that were
/// under way, the one that ended last is named. That is no proof.
Part Analysis::beside_own_job(const FrameThread& thread, const Part& like, Timestamp begin,
                              Timestamp end) const
{
    Part named = like;
    if (!thread.like.job.ring || !may_go_on(1)) {
        return named;
    }
    Timestamp last{INT64_MIN};
    for (const RowId row : m_jobs.of_process(m_jobs.process_of(thread.like.job), begin, end)) {
        const model::Job& job = m_jobs.at(row).job;
        if (end_of(job) > last && model::first_time(job) <= begin) {
            last = end_of(job);
            named.ring = job.ring;
            named.fence = job.fence;
            named.actor = job.actor;
            named.jobs = 1;
        }
    }
    return named;
}

/// Without the thread's states: in a call it is taken to wait for the jobs that are under way.
void Analysis::frame_jobs(Cut& cut, const FrameThread& thread, Timestamp begin, Timestamp end) const
{
    Part unknown;
    unknown.reason = Reason::Unknown;
    unknown.gap = m_threads.has_any_events() ? Gap::NoThreadStates : Gap::NoSchedEvents;
    Timestamp at = begin;
    if (thread.like.job.ring && may_go_on(1)) {
        for (const RowId row : m_jobs.of_process(m_jobs.process_of(thread.like.job), begin, end)) {
            const Timestamp to = std::min(end, end_of(m_jobs.at(row).job));
            const Timestamp from = std::max(at, model::first_time(m_jobs.at(row).job));
            if (from < to) {
                cut.add_if_whole(unknown, at, from);
                unseen_frame_wait(cut, row, from, to);
                at = to;
            }
        }
    }
    cut.add_if_whole(unknown, at, end);
}

void Analysis::frame_states(Cut& cut, const FrameThread& thread, PlaceInFrame place,
                            Timestamp begin, Timestamp end) const
{
    if (begin >= end) {
        return;
    }
    // A part that lies across it is split: from there on nothing but the display is waited for.
    const auto in_places = [&](Timestamp from, Timestamp to, const auto& add) {
        const Timestamp done =
            place == PlaceInFrame::InCall ? std::clamp(thread.done, from, to) : to;
        cut.set_place(place);
        add(from, done);
        cut.set_place(PlaceInFrame::LastCall);
        add(done, to);
        cut.set_place(place);
    };
    if (!thread.id) {
        in_places(begin, end, [&](Timestamp from, Timestamp to) {
            Part unknown;
            unknown.reason = Reason::Unknown;
            unknown.gap = m_threads.has_any_events() ? Gap::NoThreadStates : Gap::NoSchedEvents;
            if (place == PlaceInFrame::InCall) {
                frame_jobs(cut, thread, from, to);
            } else {
                cut.add_if_whole(unknown, from, to);
            }
        });
        return;
    }
    Part like;
    like.thread = thread.like.job.actor.tid;
    m_threads.visit(
        *thread.id, begin, end, [&](const StateChange& state, Timestamp from, Timestamp to) {
            const RowId woke =
                state.state == ThreadState::Blocked ? woken_by(thread, from, to) : no_row;
            if (woke != no_row) {
                unseen_frame_wait(cut, woke, from, to);
                return;
            }
            const Part named =
                state.state == ThreadState::Blocked ? beside_own_job(thread, like, from, to) : like;
            in_places(from, to, [&](Timestamp part_from, Timestamp part_to) {
                OwnWait none;
                one_state(cut, named, state, part_from, part_to, none);
            });
        });
}

} // namespace lttng_gpu::diagnose
