// SPDX-License-Identifier: MIT
//
// Job rows in, diagnoses out. A job is diagnosed once every row that may have been on the device
// with it has come; until then it waits. The states of threads are told by the same reading, whose
// rows come later than its events.
//
//     job tracker → row merge → Diagnoser → DiagnosisSink
//         scheduler's events → ThreadStates ↗
#pragma once

#include "../report/window.hpp"
#include "analysis.hpp"
#include "pending_times.hpp"

#include <queue>

namespace lttng_gpu::diagnose {

class Diagnoser final : public model::JobSink {
public:
    /// All must outlive it. Jobs that do not count in the window are not diagnosed, except for
    /// intervals of preempted jobs before the last.
    Diagnoser(const model::RingTable& rings, const report::Window& window, ThreadStates& threads,
              DiagnosisSink& sink);

    /// What a first reading saw of the rings, or has seen so far; it outlives this. Without it, or
    /// so early, jobs may be told of a full ring that was not.
    void set_known_depths(const RingDepths& depths) { m_jobs.set_known_depths(depths); }
    /// No diagnosis was one of a full ring of which a greater depth is known now.
    bool has_right_depth(RingId ring) const { return m_jobs.has_right_depth(ring); }
    bool has_right_depths() const { return m_jobs.has_right_depths(); }

    /// Frames are diagnosed as well; jobs are remembered for longer, because they come later.
    void set_wants_frames() { m_wants_frames = true; }

    /// Jobs outside of the window are diagnosed as well, and marked as not counted.
    void set_wants_all() { m_wants_all = true; }

    void on_job(const model::Job& job) override;
    void on_frame(const model::Frame& frame) override;
    void on_dependency(const model::Dependency& dependency) override { m_jobs.add(dependency); }
    void on_wait(const model::Wait& wait) override { m_jobs.add(wait); }
    /// No more rows; the trace ended then.
    void finish(Timestamp trace_end);

    /// Diagnosis::number of the job that has this fence, of a preempted one that of an execution.
    /// Nothing: none is remembered.
    std::optional<std::uint64_t> number_of(const Known<RingId>& ring, const FenceId& fence) const;
    /// Smaller numbers will not be told any more.
    std::uint64_t first_number() const;

    /// For tests of bounds.
    std::size_t remembered() const { return m_jobs.size(); }

private:
    struct Pending {
        Timestamp end;
        RowId row = no_row;

        friend bool operator>(const Pending& left, const Pending& right)
        {
            return left.end != right.end ? left.end > right.end : left.row > right.row;
        }
    };

    struct PendingFrame {
        Timestamp end;
        model::Frame frame;

        friend bool operator>(const PendingFrame& left, const PendingFrame& right)
        {
            return left.end > right.end;
        }
    };

    std::vector<RowId> jobs_of(const model::Frame& frame) const;
    void diagnose_first_frame();
    static Timestamp needed_since(const Row& row);
    void diagnose_until(Timestamp time);
    void diagnose_first();
    void forget();

    const model::RingTable& m_rings;
    const report::Window& m_window;
    ThreadStates& m_threads;
    DiagnosisSink& m_sink;
    JobHistory m_jobs;
    Analysis m_analysis;
    std::priority_queue<Pending, std::vector<Pending>, std::greater<>> m_pending;
    std::priority_queue<PendingFrame, std::vector<PendingFrame>, std::greater<>> m_frames;
    std::uint64_t m_given = 0; // jobs
    bool m_wants_frames = false;
    bool m_wants_all = false;
    PendingTimes m_needed; // since when, by those that are pending
    Timestamp m_now{INT64_MIN};
    Timestamp m_trace_end = never;
    unsigned m_until_forgetting = 0;
};

} // namespace lttng_gpu::diagnose
