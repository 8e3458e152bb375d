// SPDX-License-Identifier: MIT
//
// Normalised events in, decided jobs out. A job is always looked up by a key,
// never taken from the head of a queue, so completions may come in any order.
// Open jobs are all it remembers (and the last few completed, to see duplicates).
// A completion is settled when time goes on, because events of other CPUs may
// bear the same time. What does not fit is counted as an anomaly; a missing time
// stays missing.
#pragma once

#include "../base/anomaly.hpp"
#include "dependencies.hpp"
#include "open_jobs.hpp"
#include "per_trace.hpp"
#include "ring_table.hpp"

#include <limits>

namespace lttng_gpu::model {

class JobTracker {
public:
    JobTracker(RingTable& rings, AnomalyCounters& anomalies, JobSink& sink);

    /// To be called with the time of each item before anything else.
    void advance(Timestamp now)
    {
        if (now > x_now) {
            go_on(now);
        }
    }

    /// Each gives the job, or no_job when the event was odd.
    JobIndex queued(Timestamp time, Step step, const JobQueued& event);
    JobIndex submitted(Timestamp time, Step step, const JobSubmitted& event);
    JobIndex completed(Timestamp time, Step step, const JobCompleted& event);
    /// A fence that nobody may know; gives the job that it completed.
    JobIndex signaled(Timestamp time, const FenceSignaled& event);
    void lost(const EventsLost& event);
    /// Events of this kind are recorded in the trace.
    void note(TraceId trace, Teller teller);
    bool has(TraceId trace, Teller teller);

    /// A job known by its fence only, until events of jobs tell of it.
    JobIndex open_tentative(Timestamp time, TraceId trace, Teller teller);
    void drop_tentative(JobIndex job, Anomaly reason);
    /// The open job turned out to be another one, of which the events are known.
    void drop(JobIndex job);
    void merge(JobIndex job, JobIndex other);
    /// Events of the job itself tell more than its fence: these count from now on.
    void adopt(JobIndex job, bool keeps_queued);

    /// A job that was written to its ring, of which nothing else was seen.
    JobIndex open_executed(Timestamp time, const JobKey& key, RingId ring);

    // For drivers whose jobs have more stages; `job` is open.
    void submit(JobIndex job, Timestamp time, RingId ring);
    void complete(JobIndex job, Timestamp time, Basis basis);
    /// Off the hardware again, before it was complete.
    void preempt(JobIndex job, Timestamp time, Basis basis = Basis::Observed);
    void move_to(JobIndex job, RingId ring);
    void give_up(JobIndex job, Anomaly reason);
    void end_without_completion(JobIndex job);
    void set_fault(JobIndex job, Fault fault);
    /// A completion that was not seen to be submitted, on a ring or anywhere.
    void unseen_completion(std::optional<RingId> ring, TraceId trace, Timestamp time);

    void add_key(JobIndex job, const JobKey& key) { x_jobs.add_key(job, key); }
    /// Open, or among the last completed.
    JobIndex find(const JobKey& key) { return x_jobs.find(key); }
    JobIndex find_open(const JobKey& key);
    TrackedJob& at(JobIndex job) { return x_jobs[job]; }
    OpenJobs& jobs() { return x_jobs; }
    Dependencies& dependencies() { return x_dependencies; }
    RingFifo& fifo(RingId ring);
    bool is_lost_since(TraceId trace, Timestamp time);

    /// Somebody sleeps until this open job completes; its row waits for that.
    void add_waiter(JobIndex job) { ++x_jobs[job].waiters; }
    void end_wait(JobRef job, Timestamp time);
    /// The waiters may have awoken unseen.
    void forget_waiters(JobRef job);

    /// The trace is over: hands on everything, open jobs as incomplete.
    void finish();

private:
    struct TraceFacts {
        RingFifo::Doubt doubt;
        std::uint8_t tellers = 0;
    };

    JobIndex open(const JobKey& key, Timestamp time);
    JobIndex find_for(Step step, const JobKey& key, std::optional<Timestamp> Job::*stage);
    void set_ring(JobIndex job, RingId ring);

    void go_on(Timestamp now);
    void settle_all();
    void settle(JobIndex job);
    void settle_start(TrackedJob& tracked);
    void submit_executed(JobIndex job);
    void forget_doubtful_submission(JobIndex job);
    void close_overtaken(JobIndex completed);
    void decide(JobIndex job);
    void hand_on(JobIndex job);
    void hand_on_intervals(TrackedJob& tracked);
    void count_missing(const TrackedJob& tracked);
    JobIndex unknown_fence(Timestamp time, const FenceSignaled& event, const JobKey& key);
    void release();
    void bound_memory();
    void detach_front();
    void finish_open(JobIndex job);
    void close(JobIndex job);

    RingTable& x_rings;
    AnomalyCounters& x_anomalies;
    JobSink& x_sink;
    OpenJobs x_jobs;
    JobOrder x_order;
    Dependencies x_dependencies;
    std::deque<RingFifo> x_fifos;
    PerTrace<TraceFacts> x_facts;
    std::vector<JobIndex> x_closing;
    Timestamp x_now{std::numeric_limits<std::int64_t>::min()};
    std::size_t x_open = 0;
    std::size_t x_intervals = 0; // ended ones of open jobs
};

} // namespace lttng_gpu::model
