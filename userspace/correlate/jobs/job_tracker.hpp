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
#include "../base/per_trace.hpp"
#include "../base/stable_array.hpp"
#include "../coverage/capture_knowledge.hpp"
#include "../rings/ring_numbers.hpp"
#include "../rings/ring_table.hpp"
#include "completion_policy.hpp"
#include "dependencies.hpp"
#include "host_waits.hpp"
#include "open_jobs.hpp"

#include <limits>
#include <set>

namespace lttng_gpu::model {

/// What is known last of a job, or of others about it.
inline std::optional<Timestamp> latest_time(const Job& job)
{
    for (const KnownTime& time :
         {job.completed, job.completed_by, job.submitted, job.submitted_by, job.queued}) {
        if (time) {
            return *time;
        }
    }
    return {};
}

/// What a driver counts on its hardware: each job has one credit or more.
enum class DepthUnit : std::uint8_t { Jobs, Credits };

class JobTracker {
public:
    JobTracker(RingTable& rings, AnomalyCounters& anomalies, JobSink& sink);

    /// What reading shows of the capture itself is written there. Until finish().
    void set_findings(CaptureFindings& findings) { m_findings = &findings; }
    /// The tracer states what it recorded, and by one clock: no evidence is sought of CPUs that
    /// begin late or whose clocks differ.
    void trust_tracer() { m_trusts_tracer = true; }
    /// What an earlier reading found; must outlive this. Before the first event.
    void learn_from(const CaptureKnowledge& knowledge);

    // What drivers state when they start, see event_family.hpp. Before the first event.
    Step add_step(const StepTraits& traits) { return m_steps.add(traits); }
    KeySpace add_key_space(const KeyTraits& traits) { return m_jobs.add_key_space(traits); }
    /// `keeper` must outlive the last call.
    std::uint8_t add_completion_policy(CompletionPolicy& keeper)
    {
        m_policies.push_back(&keeper);
        return static_cast<std::uint8_t>(m_policies.size()); // 0: none
    }
    const JobSteps& steps() const { return m_steps; }

    /// The CPU of the event that is told of next.
    void set_cpu(Cpu cpu) { m_cpu = cpu; }

    /// No job with an earlier first time will leave, but those out of order.
    Timestamp oldest_row() const { return m_order.is_empty() ? m_now : m_order.front_time(); }

    /// To be called with the time of each item before anything else.
    void advance(Timestamp now)
    {
        if (now > m_now) {
            advance_to(now);
        }
    }

    /// Each gives the job, or no_job when the event was odd.
    JobIndex queued(Timestamp time, Step step, const JobQueued& event);
    JobIndex submitted(Timestamp time, Step step, const JobSubmitted& event);
    JobIndex completed(Timestamp time, Step step, const JobCompleted& event);
    /// A fence that nobody may know; gives the job that it completed.
    JobIndex signaled(Timestamp time, const FenceSignaled& event);
    void lost(const EventsLost& event);
    /// Events of this step are recorded in the trace.
    void note_seen(TraceId trace, Step step) { m_facts[trace].seen |= set_of(step); }
    bool has_seen(TraceId trace, StepSet steps) { return (m_facts[trace].seen & steps) != 0; }
    /// Anything of drm_sched's, in any trace.
    bool has_seen_scheduler() const
    {
        bool has_seen_any = false;
        m_facts.for_each([&](TraceId, const TraceState& facts) {
            has_seen_any |= facts.has_scheduler_fences || (facts.seen & m_steps.of_scheduler) != 0;
        });
        return has_seen_any;
    }

    /// A job known by its fence only, until events of jobs tell of it.
    /// Where events of `told_by` are recorded they must have told of it, too.
    JobIndex open_tentative(Timestamp time, TraceId trace, StepSet told_by);
    /// Its scheduled fence was signaled by another CPU at the time that is now.
    void submit_if_scheduled(JobIndex job, const JobKey& finished);
    void drop_tentative(JobIndex job, Anomaly reason);
    /// The open job turned out to be another one, of which the events are known.
    void drop(JobIndex job);
    void merge(JobIndex job, JobIndex other);
    /// Events of the job itself tell more than its fence: these count from now on.
    void adopt(JobIndex job, bool keeps_queued);

    /// The scheduler's number of a job that was queued or run on this ring.
    void note_number_on_ring(RingId ring, TraceId trace, std::uint64_t id, Timestamp time,
                             bool is_queued);
    /// The numbers of this ring's jobs are given in the order of submission.
    void set_numbers_in_order(RingId ring) { numbers_of(ring).set_in_order(); }
    /// The device answers a job with this number, whose driver gives numbers where it submits: when
    /// later numbers were seen and this one was not, its submission is missing.
    void note_number_unsent(RingId ring, TraceId trace, std::uint64_t id);
    /// Told by a hardware fence of this context, of a ring of this name. False: it is that of the
    /// same ring as before, whose driver was loaded again.
    bool note_hardware(TraceId trace, std::string_view ring, std::uint64_t context);
    /// A job that is known by a pointer only has none.
    void note_unnumbered(TraceId trace);
    /// A job has this fence, but which one is not known: the number is not missing.
    void note_unnamed(const JobKey& fence);
    /// An event of a job, which the thread would join with another one, has none.
    void note_unknown_thread(TraceId trace) { m_facts[trace].lacks_threads = true; }
    /// Another open job of the ring has the same one.
    void note_same_number(RingId ring);

    /// A job of which nothing was seen but an event that tells of no stage.
    JobIndex open_on_ring(Timestamp time, const JobKey& key, RingId ring);

    // For drivers whose jobs have more stages; `job` is open.
    /// The driver is asked when it ends.
    void keep(JobIndex job, std::uint8_t keeper) { m_jobs[job].keeper = keeper; }
    /// Not what the hardware executes next.
    void leave_ring(JobIndex job);
    /// When it was given to the hardware the last time is unknown; it has another time.
    void forget_submission(JobIndex job);
    void submit(JobIndex job, Timestamp time, RingId ring);
    void complete(JobIndex job, Timestamp time, Basis basis);
    /// Off the hardware again, before it was complete.
    void preempt(JobIndex job, Timestamp time, Basis basis = Basis::Observed);
    void move_to(JobIndex job, RingId ring);
    void give_up(JobIndex job, Anomaly reason);
    void end_without_completion(JobIndex job);
    /// The driver ends the open job; the device has not answered, or will not.
    void set_end_untold(JobIndex job) { m_jobs[job].is_end_untold = true; }
    void set_fault(JobIndex job, Fault fault);
    /// A completion that was not seen to be submitted, on a ring or anywhere. Exact:
    /// it left the hardware just then.
    void unseen_completion(std::optional<RingId> ring, TraceId trace, Timestamp time,
                           bool is_exact = false);

    void report_missing(const MissingEvents& missing, Anomaly anomaly);
    /// The event of a job's way into its queue, somewhere in this stretch, was not seen.
    void note_missing_queue(TraceId trace, TimeSpan when)
    {
        report_missing({trace, Missing::Queue, 1, when, {}, {}, false}, Anomaly::QueueEventMissing);
    }
    /// The event of a job's end, somewhere in this stretch, was not seen.
    void note_missing_end(TraceId trace, RingId ring, TimeSpan when)
    {
        report_missing({trace, Missing::Completion, 1, when, ring, {}, false},
                       Anomaly::CompletionEventMissing);
    }

    /// The trace has events of fences that are made when a job is queued, as virtio_gpu's are. So
    /// one of which none was seen was queued at an unknown time, also before the first of them.
    void note_queue_fences(TraceId trace);
    bool has_queue_fences(TraceId trace)
    {
        return m_facts[trace].has_queue_fences ||
               (m_knowledge != nullptr && m_knowledge->has_queue_fences(trace));
    }
    /// A job was taken for queued at a moment that no fence told.
    void note_queued_without_fence(TraceId trace) { m_facts[trace].is_queued_without = true; }

    /// A job of which nothing but a wait for it was seen is of this ring.
    void note_ring(const JobKey& key, RingId ring);

    /// Some events of the trace are missing, or were found to be by an earlier reading.
    bool has_gaps(TraceId trace)
    {
        const TraceState& facts = m_facts[trace];
        return facts.doubt.lost_until || facts.missing_until ||
               (m_knowledge != nullptr && !m_knowledge->missing().empty());
    }

    /// The driver says that so many jobs, or credits of theirs, are on this ring's hardware, the
    /// one just submitted among them. Not sure: the end of one may be lost.
    void claim_depth(JobIndex submitted, std::uint64_t counted, DepthUnit unit, bool is_sure);

    void add_key(JobIndex job, const JobKey& key) { m_jobs.add_key(job, key); }
    /// Open, or among the last completed.
    JobIndex find(const JobKey& key) { return m_jobs.find(key); }
    JobIndex find_open(const JobKey& key);
    TrackedJob& at(JobIndex job) { return m_jobs[job]; }
    OpenJobs& jobs() { return m_jobs; }
    Dependencies& dependencies() { return m_dependencies; }
    RingFifo& fifo(RingId ring)
    {
        return ring.value() < m_fifos.size() ? m_fifos[ring.value()] : add_fifo(ring);
    }
    bool is_lost_since(TraceId trace, Timestamp time)
    {
        const TraceState& facts = m_facts[trace];
        return (facts.doubt.lost_until && *facts.doubt.lost_until >= time) ||
               (facts.missing_until && *facts.missing_until >= time);
    }
    /// Events of this ring's jobs are missing since then, or of nobody knows which ring's.
    bool is_lost_on_ring_since(RingId ring, TraceId trace, Timestamp time)
    {
        const TraceState& facts = m_facts[trace];
        return (facts.doubt.lost_until && *facts.doubt.lost_until >= time) ||
               (facts.unplaced_until && *facts.unplaced_until >= time) ||
               (facts.missing_until && fifo(ring).lacks_events(time, m_now));
    }
    bool is_lost_on_ring_since(const TrackedJob& tracked, Timestamp time)
    {
        return tracked.job.ring ? is_lost_on_ring_since(*tracked.job.ring, tracked.trace, time)
                                : is_lost_since(tracked.trace, time);
    }
    /// A job may have come and gone since then of which no event was seen.
    bool is_job_unseen_since(TraceId trace, Timestamp time)
    {
        const TraceState& facts = m_facts[trace];
        return (facts.unseen_jobs_until && *facts.unseen_jobs_until >= time) ||
               (facts.doubt.lost_until && *facts.doubt.lost_until >= time &&
                !is_numbered(facts, {time, *facts.doubt.lost_until}));
    }
    /// Between this time and now a thread that was on this CPU then, and is now, did nothing
    /// unseen: the time is too short to go to a CPU of which events are lost and to come back.
    bool has_stayed(TraceId trace, Cpu cpu, Timestamp since);

    /// Cut numbers, and contexts are met that are told apart only by the rest.
    bool is_unsure(const JobKey& fence)
    {
        return fence.is_cut && m_facts[fence.trace].has_wide_contexts;
    }

    /// Somebody sleeps until this open job completes; its row waits for that.
    void add_waiter(JobIndex job) { ++m_jobs[job].waiters; }
    void end_wait(JobRef job, Timestamp time);
    /// The waiters may have awoken unseen.
    void forget_waiters(JobRef job);

    /// The trace is over: hands on everything, open jobs as incomplete.
    void finish();

private:
    /// More rows than this do not wait for an earlier job that is still open.
    static constexpr std::size_t most_rows = 65536;
    static constexpr std::size_t most_open = 65536;
    static constexpr std::size_t most_unmatched = 64;
    static constexpr std::size_t most_unmatched_runs = 1024;

    struct TraceState {
        RingFifo::Doubt doubt;
        RingFifo::Doubt doubt_but_losses;         // see doubt_of_start()
        std::optional<Timestamp> announced_until; // events are missing, as the tracer said
        /// Until when single events are missing, as an earlier reading found; what that means for
        /// the order of a ring is known better (RingKnowledge).
        std::optional<Timestamp> missing_until;
        std::optional<Timestamp> unplaced_until; // likewise, those of unknown rings
        /// Until when jobs are missing of which no event was seen. Only such a job can have taken
        /// over the fence's pointer of another unseen.
        std::optional<Timestamp> unseen_jobs_until;
        std::vector<Timestamp> lost_until_by_cpu;
        StepSet seen = 0; // steps of which events are recorded
        bool has_scheduler_fences = false;
        bool lacks_threads = false; // of events that only the thread joins
        bool has_wide_contexts = false;
        bool has_queue_fences = false;
        bool is_queued_without = false; // a job, before the first of these fences
        /// An earlier reading found each job that was not seen in this stretch.
        TimeSpan numbered{Timestamp{0}, Timestamp{-1}};
    };

    struct UnmatchedSignal {
        JobKey key;
        RingId ring;
    };
    /// Signaled fence of no known job; if it is a scheduled fence, its job ran from `begun` on.
    struct UnmatchedRun {
        JobKey key;
        RingId ring;
        Timestamp begun;
        std::optional<Timestamp> ended; // the finished fence was signaled
    };

    struct DepthClaim {
        RingId ring;
        RingFifo::Place place = 0;
        std::size_t seen = 0;
        std::uint64_t counted = 0;
        DepthUnit unit = DepthUnit::Jobs;
        bool is_sure = true;
    };

    /// How well a driver's counts fit what is known of a ring.
    struct DepthHistory {
        unsigned contradictions = 0; // in a row
        unsigned doubtful = 0;       // so many of the next that agree may do so by chance
        bool was_doubtful = false;   // ever
        std::uint64_t credits = 0;   // of each job, as most counts have it
        unsigned votes = 0;          // by so many more than have it otherwise
    };

    static bool is_numbered(const TraceState& facts, TimeSpan span)
    {
        return facts.numbered.begin <= span.begin && span.end <= facts.numbered.end;
    }
    JobIndex open(const JobKey& key, Timestamp time);
    CompletionPolicy* policy_of(const TrackedJob& tracked) const
    {
        return tracked.keeper != 0 ? m_policies[tracked.keeper - 1U] : nullptr;
    }
    JobIndex find_for(Step step, const JobKey& key, KnownTime Job::*stage);
    void refine(JobIndex job, const JobKey& key);
    void set_ring(JobIndex job, RingId ring);
    RingFifo& add_fifo(RingId ring);
    Timestamp last_sign_of_life(const TrackedJob& tracked);

    void advance_to(Timestamp now);
    void check_depths();
    static bool is_credit_of_all(DepthHistory& history, const DepthClaim& claim);
    bool has_unseen_job(const DepthHistory& history, const DepthClaim& claim);
    bool is_dispensable(const TrackedJob& tracked, bool is_finishing = false);
    bool is_told_twice(TraceId trace, StepSet steps);
    bool is_unjoined(const TrackedJob& tracked);
    void forget_untold_submission(TrackedJob& tracked);
    void settle_all();
    void settle(JobIndex job);
    bool is_hardware_fence_lost(const TrackedJob& tracked);
    void settle_start(TrackedJob& tracked, const SettledJob& settled);
    void settle_unplaced(const TrackedJob& tracked, const SettledJob& settled);
    const RingFifo::Doubt& doubt_of_start(const TrackedJob& tracked);
    void close_ended_unseen(RingId ring, Timestamp time);
    bool has_unplaced_end(RingId ring) const;
    void close_overtaken(JobIndex completed);
    bool is_told_by_fences(const TrackedJob& tracked);
    bool is_of_scheduler(const TrackedJob& tracked) const;
    bool lacks_queue_event(const TrackedJob& tracked) const;
    bool lacks_run_event(const TrackedJob& tracked) const;
    bool is_announced(TraceId trace, TimeSpan span)
    {
        const auto& until = m_facts[trace].announced_until;
        return until && *until >= span.begin;
    }
    void bound_earlier_submissions(JobIndex submitted);
    static void note_number(ContextFacts& facts, std::uint32_t seqno);
    void complete_if_signaled(JobIndex job, const JobKey& key);
    std::int32_t count_earlier(const TrackedJob& tracked, std::uint32_t seqno) const;
    void note_in_context(JobIndex closed);
    void report_missing_jobs(const TrackedJob& next, const ContextFacts& before,
                             std::uint64_t count);
    RingNumbers& numbers_of(RingId ring);
    void note_several_schedulers(RingId ring);
    void note_continuous_numbers(RingId ring);
    void report_missing_numbers(RingId ring, TraceId trace,
                                const std::vector<RingNumbers::MissingNumber>& numbers,
                                Timestamp time);
    void report_missing_stages(const TrackedJob& tracked, const ContextFacts& before);
    void note_late_end(const TrackedJob& tracked, Timestamp time);
    void note_wholeness(const TrackedJob& tracked);
    /// The second never comes before the first; see CpuClocks.
    void note_order(TraceId trace, CpuClocks::Moment cause, CpuClocks::Moment effect)
    {
        if (m_findings != nullptr && !m_trusts_tracer) {
            m_findings->clocks.note(trace, cause, effect);
        }
    }
    void recall_missing(Timestamp now);
    void note_unqueued_number(const TrackedJob& tracked);
    void report_orders();
    void note_run_in_doubt(const TrackedJob& tracked, Timestamp ended);
    void decide(JobIndex job);
    void hand_on(JobIndex job);
    void hand_on_intervals(TrackedJob& tracked);
    void count_missing(const TrackedJob& tracked);
    JobIndex unknown_fence(Timestamp time, const FenceSignaled& event, const JobKey& key);
    void note_unmatched(TraceId trace, Timestamp time);
    void note_unmatched_run(Timestamp time, const FenceSignaled& event, const JobKey& key);
    void report_unmatched_run(const UnmatchedRun& unmatched);
    bool is_context_of_scheduled(const UnmatchedRun& unmatched);
    std::optional<RingId> ring_of_unmatched(const JobKey& key) const;
    void release();
    /// A job that stays open must hold back neither rows nor memory for ever.
    void bound_memory()
    {
        if (m_order.size() + m_intervals > most_rows || m_open > most_open) {
            evict_oldest();
        }
    }
    void evict_oldest();
    void detach_front();
    void finish_open(JobIndex job);
    void find_completing_drivers();
    bool is_completing(RingId ring) const;
    void close(JobIndex job);

    RingTable& m_rings;
    AnomalyCounters& m_anomalies;
    JobSink& m_sink;
    JobSteps m_steps;
    std::vector<CompletionPolicy*> m_policies;
    OpenJobs m_jobs;
    JobOrder m_order;
    Dependencies m_dependencies;
    StableArray<RingFifo> m_fifos;
    PerTrace<TraceState> m_facts;
    PerTrace<HostWaits> m_host_waits;
    std::vector<JobIndex> m_closing;
    std::vector<JobKey> m_signaled_now; // fences of no known job, at the current time
    BoundedDeque<UnmatchedSignal> m_unmatched_signals; // the last ones
    BoundedDeque<UnmatchedRun> m_unmatched_runs;       // likewise, while findings are made
    std::vector<DepthClaim> m_claims;
    std::vector<DepthHistory> m_depths; // by ring
    std::vector<RingNumbers> m_numbers; // by ring
    Timestamp m_now{std::numeric_limits<std::int64_t>::min()};
    std::size_t m_open = 0;
    std::size_t m_intervals = 0; // ended ones of open jobs
    /// At the end: drivers of which jobs were seen to complete. So the ends of their jobs are
    /// recorded, of each ring.
    std::set<std::pair<TraceId, StringId>> m_completing;
    Cpu m_cpu;
    CaptureFindings* m_findings = nullptr;
    bool m_trusts_tracer = false;
    const CaptureKnowledge* m_knowledge = nullptr;
    std::size_t m_next_missing = 0;
};

} // namespace lttng_gpu::model
