// SPDX-License-Identifier: MIT
//
// See analysis.hpp. Here: the stages of a life, and what happens on the device.
#include "analysis.hpp"

#include <algorithm>

namespace lttng_gpu::diagnose {
namespace {

/// What has not ended after that, and after so many times the usual, hangs.
constexpr Duration hang_at_least{1'000'000'000};
constexpr std::int64_t hang_times = 20;
/// Jobs that one diagnosis looks at, each as often as it does.
constexpr std::size_t most_looks = 16384;

} // namespace

Diagnosis Analysis::diagnose(RowId id, Timestamp trace_end) const
{
    const Row& row = m_jobs.at(id);
    const model::Job& job = row.job;
    m_looked_at = 0;
    Diagnosis diagnosis;
    diagnosis.job = job;
    diagnosis.number = row.number;
    diagnosis.is_counted = m_window.counts(job);
    diagnosis.begin = model::first_time(job);
    diagnosis.is_open = end_of(job) == never;
    diagnosis.end = std::max(diagnosis.begin, std::min(end_of(job), trace_end));
    Cut cut{m_threads.lost(), row.trace, &m_window};
    cut.set_clock_error(job.clock_error);
    if (row.idle_since && *row.idle_since < diagnosis.begin) {
        cut.set_before(true);
        before(cut, row, job.actor, *row.idle_since, diagnosis.begin, 0);
        cut.set_before(false);
    }
    life(cut, id, diagnosis.begin, diagnosis.end, 0);
    diagnosis.parts = cut.take();
    return diagnosis;
}

bool Analysis::may_go_on(std::size_t jobs) const
{
    m_looked_at += jobs + 1;
    return m_looked_at <= most_looks;
}

bool Analysis::is_own(const Row& row, const model::Job& other) const
{
    const bool is_known =
        (row.job.actor.pid || row.job.actor.tid) && (other.actor.pid || other.actor.tid);
    return is_known && m_jobs.process_of(row.job) == m_jobs.process_of(other);
}

Part Analysis::part_of(Reason reason, const model::Job& culprit) const
{
    Part part;
    part.reason = reason;
    part.ring = culprit.ring;
    part.fence = culprit.fence;
    part.actor = culprit.actor;
    part.jobs = 1;
    part.is_inferred = culprit.started_basis == model::Basis::Inferred ||
                       culprit.completed_basis == model::Basis::Inferred;
    return part;
}

void Analysis::life(Cut& cut, RowId id, Timestamp begin, Timestamp end, unsigned level) const
{
    const Row& row = m_jobs.at(id);
    const model::Job& job = row.job;
    const Timestamp first = model::first_time(job);
    Timestamp at = begin;
    const auto until = [&](Timestamp time) { return std::clamp(time, at, end); };
    if (at < first) {
        const Timestamp to = until(first);
        before(cut, row, job.actor, at, to, level);
        at = to;
    }
    const Timestamp last = end_of(job);
    if (job.queued && at < end) {
        const Timestamp to = until(job.submitted.value_or(last));
        if (job.submitted || last == never) {
            host_queue(cut, id, at, to, level);
        } else {
            const Timestamp waited = dependencies(cut, row, at, to, level);
            Part missing;
            missing.reason = Reason::Unknown;
            missing.gap = Gap::TimesMissing;
            cut.add_if_whole(missing, waited, to);
        }
        at = to;
    }
    if (job.submitted && at < end) {
        const Timestamp to = until(last);
        on_device(cut, id, at, to);
        at = to;
    }
    Part signal;
    signal.reason = Reason::Handover; // of the fence's signal to who waits for it
    cut.add_if_whole(signal, at, end);
}

void Analysis::on_device(Cut& cut, RowId id, Timestamp begin, Timestamp end) const
{
    const Row& row = m_jobs.at(id);
    const model::Job& job = row.job;
    const KnownTime start = m_jobs.start_of(id);
    if (job.fault != model::Fault::None && !start) {
        cut.add(part_of(Reason::Hang, job), begin, end);
    } else if (start) {
        const Timestamp started = std::clamp(*start, begin, end);
        device_queue(cut, row, begin, started);
        execution(cut, row, started, end);
    } else if (end_of(job) == never && !m_jobs.is_parallel(*job.ring)) {
        device_queue(cut, row, begin, end);
    } else if (const RowId other = open_before(row, begin, end); other != no_row) {
        cut.add(part_of(Reason::RingBusyOwn, m_jobs.at(other).job), begin, end);
    } else if (end_of(job) == never && end - begin >= hang_at_least) {
        cut.add(part_of(Reason::Hang, job), begin, end);
    } else {
        Part unknown;
        unknown.reason = Reason::Unknown;
        unknown.gap = Gap::StartUnknown;
        cut.add_if_whole(unknown, begin, end);
    }
}

RowId Analysis::open_before(const Row& row, Timestamp begin, Timestamp end) const
{
    const model::Job& job = row.job;
    if (!job.ring || !job.fence.context || !job.fence.seqno) {
        return no_row;
    }
    for (const RowId id : m_jobs.on_ring(*job.ring, begin, end).rows) {
        const model::Job& other = m_jobs.at(id).job;
        if (other.fence.context == job.fence.context && other.fence.seqno &&
            *other.fence.seqno < *job.fence.seqno && end_of(other) >= end) {
            return id;
        }
    }
    return no_row;
}

/// Who executed meanwhile. On a ring in order they follow each other.
void Analysis::device_queue(Cut& cut, const Row& row, Timestamp begin, Timestamp end) const
{
    if (!row.job.ring || end <= begin) {
        return;
    }
    const auto on_ring = m_jobs.on_ring(*row.job.ring, begin, end);
    Timestamp at = begin;
    Part idle;
    idle.reason = Reason::Unexplained;
    if (on_ring.is_cut || m_jobs.has_forgotten_since(begin)) {
        idle.reason = Reason::Unknown;
        idle.gap = Gap::TooMuchAtOnce;
    }
    for (const RowId id : on_ring.rows) {
        const model::Job& other = m_jobs.at(id).job;
        const bool is_itself = other.fence.context == row.job.fence.context &&
                               other.fence.seqno == row.job.fence.seqno;
        const KnownTime start = m_jobs.start_of(id);
        if (!start || is_itself || *start >= end || end_of(other) <= at) {
            continue;
        }
        const Timestamp from = std::max(at, *start);
        cut.add_if_whole(idle, at, from);
        const Timestamp to = std::min(end, end_of(other));
        const bool is_known = row.job.actor.pid && other.actor.pid;
        const Reason reason = is_own(row, other) ? Reason::RingBusyOwn
                              : is_known         ? Reason::RingShared
                                                 : Reason::RingBusyUnknown;
        Part busy = part_of(reason, other);
        busy.is_inferred |= row.job.started_basis == model::Basis::Inferred;
        cut.add(busy, from, to);
        at = std::max(at, to);
    }
    cut.add_if_whole(idle, at, end);
}

void Analysis::execution(Cut& cut, const Row& row, Timestamp begin, Timestamp end) const
{
    const model::Job& job = row.job;
    const std::int64_t length = (end - begin).value();
    const std::int64_t usual = row.usual_execution.value_or(Duration{}).value();
    Reason reason = Reason::Execution;
    const bool is_open = !job.completed;
    if (job.fault != model::Fault::None ||
        (is_open && length >= hang_at_least.value() && length >= hang_times * usual)) {
        reason = Reason::Hang;
    } else if (row.usual_execution && length > long_execution_times * usual &&
               length - usual > long_execution_more.value()) {
        reason = Reason::LongExecution;
    }
    Part part = part_of(reason, job);
    part.is_inferred |= !job.started;
    part.jobs = 0;
    cut.add(part, begin, end);
}

} // namespace lttng_gpu::diagnose
