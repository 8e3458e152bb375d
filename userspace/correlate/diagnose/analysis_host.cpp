// SPDX-License-Identifier: MIT
//
// See analysis.hpp. Here: why a job that was queued was not submitted. In this order: a fence it
// depends on; a job before it in its context, with that job's reason; no room on the ring; nothing.
#include "analysis.hpp"

#include <algorithm>

namespace lttng_gpu::diagnose {
namespace {

/// Chains of dependencies are followed so far.
constexpr unsigned most_levels = 16;

struct Step {
    Timestamp time;
    int change = 0;

    friend auto operator<=>(const Step&, const Step&) = default;
};

/// How the number of jobs on the ring changes in [begin, end], from `depth` on.
std::vector<Step> steps_of(const JobHistory& jobs, const std::vector<RowId>& on_ring,
                           Timestamp begin, Timestamp end, int& depth)
{
    std::vector<Step> steps;
    for (const RowId row : on_ring) {
        const model::Job& job = jobs.at(row).job;
        depth += *job.submitted <= begin ? 1 : 0;
        if (*job.submitted > begin) {
            steps.push_back({*job.submitted, 1});
        }
        if (end_of(job) <= end) {
            steps.push_back({end_of(job), -1});
        }
    }
    std::sort(steps.begin(), steps.end()); // what ends makes room before what comes takes it
    return steps;
}

} // namespace

void Analysis::host_queue(Cut& cut, RowId id, Timestamp begin, Timestamp end, unsigned level) const
{
    const Row& row = m_jobs.at(id);
    Timestamp at = dependencies(cut, row, begin, end, level);
    const auto ahead_of_it = m_jobs.ahead_in_context(id, at);
    if (ahead_of_it.size() == JobHistory::most_ahead) {
        const Timestamp to = std::clamp(*m_jobs.at(ahead_of_it[0]).job.submitted, at, end);
        cut.add_unknown(Gap::TooMuchAtOnce, at, to);
        at = to;
    }
    for (const RowId ahead : ahead_of_it) {
        const Timestamp to = std::clamp(*m_jobs.at(ahead).job.submitted, at, end);
        head_of_queue(cut, ahead, at, to, level);
        at = to;
    }
    head_of_queue(cut, id, at, end, level);
}

void Analysis::head_of_queue(Cut& cut, RowId id, Timestamp begin, Timestamp end,
                             unsigned level) const
{
    if (begin < end) {
        const Timestamp at = dependencies(cut, m_jobs.at(id), begin, end, level);
        ready(cut, id, at, end);
    }
}

/// From begin to the returned time, as long as the job depends on anything.
Timestamp Analysis::dependencies(Cut& cut, const Row& row, Timestamp begin, Timestamp end,
                                 unsigned level) const
{
    // A worker that comes late tells of a dependency that was over: its job's end counts.
    const auto until_of = [&](const model::Dependency& on) {
        const Timestamp until = on.until.value_or(row.job.submitted.value_or(end));
        const RowId producer = m_jobs.find(row.trace, on.waits_for);
        return producer != no_row
                   ? std::min(until, end_of(m_jobs.at(producer).job))
                   : std::min(until, m_jobs.ended_by(row.trace, on.waits_for).value_or(until));
    };
    std::vector<model::Dependency> all = m_jobs.dependencies(row.trace, row.job.fence);
    std::sort(all.begin(), all.end(), [&](const auto& left, const auto& right) {
        return until_of(left) < until_of(right);
    });
    Timestamp at = begin;
    for (const model::Dependency& on : all) {
        // What ends last holds up the job; what it had waited for before comes before.
        const Timestamp to = std::min(end, until_of(on));
        if (to > at) {
            depend(cut, row, on, at, to, level);
            at = to;
        }
    }
    if (row.job.runnable && *row.job.runnable > at) {
        Part part;
        part.reason = Reason::Dependency;
        const Timestamp to = std::min(end, *row.job.runnable);
        cut.add(part, at, to);
        at = to;
    }
    return at;
}

void Analysis::depend(Cut& cut, const Row& row, const model::Dependency& on, Timestamp begin,
                      Timestamp end, unsigned level) const
{
    Part part;
    part.reason = Reason::Dependency;
    part.ring = on.producer_ring;
    part.fence = on.waits_for;
    part.actor = on.producer;
    part.jobs = 1;
    const RowId producer = m_jobs.find(row.trace, on.waits_for);
    if (producer != no_row) {
        const model::Job& job = m_jobs.at(producer).job;
        part.ring = job.ring;
        part.actor = job.actor;
        if (level < most_levels) {
            Cut root = cut.sub();
            life(root, producer, begin, end, level + 1);
            part.root = root.take();
        }
    }
    cut.add(std::move(part), begin, end);
}

/// The greatest depth that the ring ever had is taken for what it can take.
void Analysis::ready(Cut& cut, RowId id, Timestamp begin, Timestamp end) const
{
    const Row& row = m_jobs.at(id);
    if (begin >= end || !row.job.ring || m_jobs.is_parallel(*row.job.ring)) {
        const bool is_kept = begin < end && row.job.ring && !row.job.submitted;
        const RowId other = is_kept ? open_before(row, begin, end) : no_row;
        if (other == no_row) {
            handover(cut, row, begin, end);
            return;
        }
        Part part = part_of(Reason::BackPressure, m_jobs.at(other).job);
        part.is_inferred = true; // no event says that there was no room
        cut.add(std::move(part), begin, end);
        return;
    }
    const RingId ring = *row.job.ring;
    const auto on_ring = m_jobs.on_ring(ring, begin, end);
    if (on_ring.is_cut || !may_go_on(on_ring.rows.size())) {
        cut.add_unknown(Gap::TooMuchAtOnce, begin, end);
        return;
    }
    int depth = 0;
    std::vector<Step> steps = steps_of(m_jobs, on_ring.rows, begin, end, depth);
    int greatest = depth;
    int now = depth;
    for (const Step& step : steps) {
        now += step.change;
        greatest = std::max(greatest, now);
    }
    m_jobs.note_depth(ring, static_cast<unsigned>(std::max(greatest, now + 1)));
    const int known_full = static_cast<int>(m_jobs.depth(ring));
    // what never left the queue stands behind what never left the ring
    const bool stands = now > 0 && !row.job.submitted && end_of(row.job) == never;
    const int full = stands ? std::min(known_full, now) : known_full;
    std::size_t oldest = 0;
    Timestamp at = begin;
    Timestamp since = begin; // nothing is in the way
    steps.push_back({end, 0});
    for (const Step& step : steps) {
        if (step.time > at && depth >= full) {
            while (oldest + 1 < on_ring.rows.size() &&
                   end_of(m_jobs.at(on_ring.rows[oldest]).job) <= at) {
                ++oldest;
            }
            handover(cut, row, since, at);
            if (full == known_full) {
                m_jobs.note_full(ring, static_cast<unsigned>(full));
            }
            Part part = part_of(Reason::BackPressure, m_jobs.at(on_ring.rows[oldest]).job);
            part.is_inferred = part.is_inferred || full < known_full;
            cut.add_if_whole(part, at, step.time);
            since = step.time;
        }
        at = std::max(at, step.time);
        depth += step.change;
    }
    handover(cut, row, since, end);
}

void Analysis::handover(Cut& cut, const Row& row, Timestamp begin, Timestamp end) const
{
    if (begin >= end) {
        return;
    }
    const bool is_late = end - begin > usual_handover;
    // virtio-gpu's commands are submitted by the thread itself, in the same call.
    if (is_late && row.job.ring && m_rings.text(m_rings.at(*row.job.ring).driver) == "virtio_gpu") {
        OwnWait none;
        thread_states(cut, row, row.job.actor, begin, end, none);
        return;
    }
    Part part;
    part.reason = is_late ? Reason::WorkerLate : Reason::Handover;
    const Known<Tid> worker = is_late ? row.job.submitter : Known<Tid>{};
    part.thread = worker;
    if (worker && m_threads.has_events(row.trace)) {
        model::Actor actor;
        actor.tid = worker;
        Cut root = cut.sub();
        OwnWait none;
        thread_states(root, row, actor, begin, end, none);
        part.root = root.take();
    }
    cut.add_if_whole(part, begin, end);
}

} // namespace lttng_gpu::diagnose
