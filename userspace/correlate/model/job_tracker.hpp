// SPDX-License-Identifier: MIT
//
// Normalised events in, decided jobs out. A job is always looked up by its key,
// never taken from the head of a queue, so completions may come in any order.
// Open jobs are all it remembers (and the last few completed, to see duplicates).
// What does not fit is counted as an anomaly; a missing time stays missing.
#pragma once

#include "../base/anomaly.hpp"
#include "job_order.hpp"
#include "recent_jobs.hpp"
#include "ring_fifo.hpp"
#include "ring_table.hpp"

namespace lttng_gpu::model {

class JobTracker {
public:
    JobTracker(RingTable& rings, AnomalyCounters& anomalies, JobSink& sink);

    void on_event(const GpuEvent& event);
    /// Hands on the jobs that begin before `horizon` and cannot be overtaken.
    void release(Timestamp horizon) { x_order.release(horizon); }
    /// The trace is over: hands on everything, open jobs as incomplete.
    void finish();

private:
    struct OpenJob {
        Job job;
        JobOrder::Slot slot;
        std::optional<RingFifo::Place> place; // set when submitted
    };
    /// Jobs of one timeline are neighbours in order of seqno. The low half of
    /// the timeline comes first so that 32-bit fence events can find it.
    struct KeyOrder {
        bool operator()(const JobKey& left, const JobKey& right) const;
    };
    using OpenJobs = std::map<JobKey, OpenJob, KeyOrder>;

    void on(Timestamp time, const JobQueued& event);
    void on(Timestamp time, const JobSubmitted& event);
    void on(Timestamp time, const JobCompleted& event);
    void on(Timestamp time, const JobDependency& event);
    void on(Timestamp time, const FenceSignaled& event);
    void on(Timestamp time, const EventsLost& event);

    OpenJobs::iterator open(const JobKey& key, Timestamp time, const Job& job);
    void close(OpenJobs::iterator open_job);
    void complete(OpenJobs::iterator open_job, Timestamp time);
    void complete_submitted(OpenJob& open_job, Timestamp time, TraceId trace);
    void on_unseen_completion(std::optional<RingId> ring, TraceId trace, Timestamp time);
    void close_overtaken(const JobKey& completed);
    void give_up(OpenJobs::iterator open_job, Anomaly reason);
    OpenJobs::iterator find_signaled(const FenceSignaled& event);
    bool is_lost_since(TraceId trace, Timestamp time) const;
    RingFifo& fifo(RingId ring) { return x_fifos[ring]; }

    RingTable& x_rings;
    AnomalyCounters& x_anomalies;
    JobOrder x_order;
    OpenJobs x_open;
    RecentJobs x_recent;
    std::map<RingId, RingFifo> x_fifos;
    std::map<TraceId, RingFifo::Doubt> x_doubts;
};

} // namespace lttng_gpu::model
