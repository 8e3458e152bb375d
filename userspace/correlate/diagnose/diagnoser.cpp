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
    : x_rings{rings}, x_window{window}, x_threads{threads}, x_sink{sink}, x_jobs{rings},
      x_analysis{x_jobs, x_threads, rings, window}
{
}

Timestamp Diagnoser::needed_since(const Row& row)
{
    return row.idle_since.value_or(model::first_time(row.job));
}

void Diagnoser::on_job(const model::Job& job)
{
    if (!job.queued && !job.submitted && !job.completed) {
        return; // none of its times is known
    }
    const RowId id = x_jobs.add(job);
    const Row& row = x_jobs.at(id);
    if (job.actor.tid) {
        x_threads.follow({row.trace, *job.actor.tid});
    }
    x_needed.insert(needed_since(row));
    x_pending.push({end_of(job), id});
    if (job.interval == 0) {
        x_now = std::max(x_now, model::first_time(job));
    }
    diagnose_until(x_now);
    while (x_pending.size() > most_pending) {
        diagnose_first();
    }
}

void Diagnoser::finish(Timestamp trace_end)
{
    x_trace_end = trace_end;
    diagnose_until(never);
}

void Diagnoser::diagnose_until(Timestamp time)
{
    while (!x_pending.empty() && x_pending.top().end <= time) {
        diagnose_first();
    }
    while (!x_frames.empty() && x_frames.top().end <= time) {
        diagnose_first_frame();
    }
}

std::vector<RowId> Diagnoser::jobs_of(const model::Frame& frame) const
{
    std::vector<RowId> rows;
    for (const model::FrameJob& made : frame.made) {
        const RowId row =
            made.ring ? x_jobs.find(x_rings.at(*made.ring).trace, made.fence) : no_row;
        if (row != no_row) {
            rows.push_back(row);
        }
    }
    return rows;
}

/// Every row from before the frame's end has come, but not all that were on a ring with its jobs.
void Diagnoser::on_frame(const model::Frame& frame)
{
    if (!x_wants_frames || !has_latency(frame)) {
        return;
    }
    Timestamp end = frame.end;
    for (const RowId row : jobs_of(frame)) {
        end = std::max(end, end_of(x_jobs.at(row).job));
        if (frame.actor.tid) {
            x_threads.follow({x_jobs.at(row).trace, *frame.actor.tid});
        }
    }
    x_needed.insert(*frame.begin);
    x_frames.push({end, frame});
    x_now = std::max(x_now, frame.end);
    diagnose_until(x_now);
    while (x_frames.size() > most_pending) {
        diagnose_first_frame();
    }
}

void Diagnoser::diagnose_first_frame()
{
    const PendingFrame pending = x_frames.top();
    x_frames.pop();
    x_needed.erase(x_needed.find(*pending.frame.begin));
    if (x_window.clip(pending.frame.end) != pending.frame.end) {
        return;
    }
    const Timestamp end = std::min(pending.end, x_trace_end);
    x_sink.on_frame(x_analysis.diagnose(pending.frame, jobs_of(pending.frame), end));
}

void Diagnoser::diagnose_first()
{
    const RowId id = x_pending.top().row;
    x_pending.pop();
    if (!x_jobs.has(id)) {
        return;
    }
    const Row& row = x_jobs.at(id);
    const Timestamp end = std::min(end_of(row.job), x_trace_end);
    x_needed.erase(x_needed.find(needed_since(row)));
    // Whether a job counts is known with its last interval.
    if (x_wants_all || x_window.counts(row.job) || !row.job.is_last) {
        x_sink.on_diagnosis(x_analysis.diagnose(id, end));
    }
    x_jobs.set_diagnosed(id);
    if (x_until_forgetting-- == 0) {
        forget();
    }
}

void Diagnoser::forget()
{
    x_until_forgetting = diagnoses_between_forgetting;
    Timestamp until = x_needed.empty() ? x_now : std::min(x_now, *x_needed.begin());
    if ((x_wants_frames || x_jobs.size() < remembered_rows) &&
        until > Timestamp{INT64_MIN} + remembered_for) {
        until = until - remembered_for;
    }
    x_jobs.forget_before(until);
}

} // namespace lttng_gpu::diagnose
