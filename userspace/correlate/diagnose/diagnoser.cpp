// SPDX-License-Identifier: MIT
//
// See diagnoser.hpp.
#include "diagnoser.hpp"

namespace lttng_gpu::diagnose {
namespace {

constexpr std::size_t most_pending = 65536;
constexpr unsigned diagnoses_between_forgetting = 64;
/// Jobs are remembered for a while: a fence may be waited for after its job has ended.
constexpr Duration remembered_for{1'000'000'000};
constexpr std::size_t remembered_rows = 16384;

} // namespace

Diagnoser::Diagnoser(const model::RingTable& rings, const report::Window& window,
                     ThreadStates& threads, DiagnosisSink& sink)
    : m_rings{rings}, m_window{window}, m_threads{threads}, m_sink{sink}, m_jobs{rings},
      m_analysis{m_jobs, m_threads, rings, window}
{
}

Timestamp Diagnoser::needed_since(const Row& row)
{
    return row.idle_since.value_or(model::first_time(row.job));
}

void Diagnoser::on_job(const model::Job& job)
{
    const std::uint64_t number = m_given++;
    if (!job.queued && !job.submitted && !job.completed) {
        return; // none of its times is known
    }
    const RowId id = m_jobs.add(job, number);
    const Row& row = m_jobs.at(id);
    if (job.actor.tid) {
        m_threads.follow({row.trace, *job.actor.tid});
    }
    m_needed.add(needed_since(row));
    m_pending.push({end_of(job), id});
    if (job.interval == 0) {
        m_now = std::max(m_now, model::first_time(job));
    }
    diagnose_until(m_now);
    while (m_pending.size() > most_pending) {
        diagnose_first();
    }
}

void Diagnoser::finish(Timestamp trace_end)
{
    m_trace_end = trace_end;
    diagnose_until(never);
}

void Diagnoser::diagnose_until(Timestamp time)
{
    while (!m_pending.empty() && m_pending.top().end <= time) {
        diagnose_first();
    }
    while (!m_frames.empty() && m_frames.top().end <= time) {
        diagnose_first_frame();
    }
}

std::optional<std::uint64_t> Diagnoser::number_of(const Known<RingId>& ring,
                                                  const FenceId& fence) const
{
    const RowId row = ring ? m_jobs.find(m_rings.at(*ring).trace, fence) : no_row;
    return row != no_row ? std::optional{m_jobs.at(row).number} : std::nullopt;
}

std::uint64_t Diagnoser::first_number() const
{
    const Row* const first = m_jobs.first();
    return first != nullptr ? first->number : m_given;
}

std::vector<RowId> Diagnoser::jobs_of(const model::Frame& frame) const
{
    std::vector<RowId> rows;
    for (const model::FrameJob& made : frame.made) {
        const RowId row =
            made.ring ? m_jobs.find(m_rings.at(*made.ring).trace, made.fence) : no_row;
        if (row != no_row) {
            rows.push_back(row);
        }
    }
    return rows;
}

/// Every row from before the frame's end has come, but not all that were on a ring with its jobs.
void Diagnoser::on_frame(const model::Frame& frame)
{
    if (!m_wants_frames || !has_latency(frame)) {
        return;
    }
    Timestamp end = frame.end;
    for (const RowId row : jobs_of(frame)) {
        end = std::max(end, end_of(m_jobs.at(row).job));
        if (frame.actor.tid) {
            m_threads.follow({m_jobs.at(row).trace, *frame.actor.tid});
        }
    }
    m_needed.add(*frame.begin);
    m_frames.push({end, frame});
    m_now = std::max(m_now, frame.end);
    diagnose_until(m_now);
    while (m_frames.size() > most_pending) {
        diagnose_first_frame();
    }
}

void Diagnoser::diagnose_first_frame()
{
    const PendingFrame pending = m_frames.top();
    m_frames.pop();
    m_needed.remove(*pending.frame.begin);
    if (m_window.clip(pending.frame.end) != pending.frame.end) {
        return;
    }
    const Timestamp end = std::min(pending.end, m_trace_end);
    m_sink.on_frame(m_analysis.diagnose(pending.frame, jobs_of(pending.frame), end));
}

void Diagnoser::diagnose_first()
{
    const RowId id = m_pending.top().row;
    m_pending.pop();
    if (!m_jobs.has(id)) {
        return;
    }
    const Row& row = m_jobs.at(id);
    const Timestamp end = std::min(end_of(row.job), m_trace_end);
    m_needed.remove(needed_since(row));
    // Whether a job counts is known with its last interval.
    if (m_wants_all || m_window.counts(row.job) || !row.job.is_last) {
        m_sink.on_diagnosis(m_analysis.diagnose(id, end));
    }
    m_jobs.set_diagnosed(id);
    if (m_until_forgetting-- == 0) {
        forget();
    }
}

void Diagnoser::forget()
{
    m_until_forgetting = diagnoses_between_forgetting;
    Timestamp until = std::min(m_now, m_needed.earliest().value_or(m_now));
    if ((m_wants_frames || m_jobs.size() < remembered_rows) &&
        until > Timestamp{INT64_MIN} + remembered_for) {
        until = until - remembered_for;
    }
    m_jobs.forget_before(until);
}

} // namespace lttng_gpu::diagnose
