// SPDX-License-Identifier: MIT
//
// The jobs that are remembered: open ones, decided ones whose rows wait for
// their order, and the last few completed, so that a second event of one is seen
// as such. They lie in one piece of memory, are known by number, and are found
// by any of their keys. Jobs of one fence context are linked in order of seqno.
#pragma once

#include "../base/flat_table.hpp"
#include "../rings/ring_fifo.hpp"
#include "job.hpp"
#include "job_order.hpp"
#include "job_steps.hpp"

#include <array>

namespace lttng_gpu::model {

using JobIndex = std::uint32_t;
inline constexpr JobIndex no_job = 0xffffffff;

/// What a driver states of a key space of its own.
struct KeyTraits {
    bool is_pointer = false;      // comes back with another job once this one has ended
    bool may_fit_several = false; // of several devices or schedulers
};

/// Of the same fence or pointer, as far as both have all of its numbers.
bool is_match(const JobKey& left, const JobKey& right);

/// A job's number and which user of that number it was.
struct JobRef {
    JobIndex index = no_job;
    std::uint32_t generation = 0;
};

enum class JobState : std::uint8_t {
    Free,
    Open,
    Closing,  // completed at the current time, of which more events may come
    Done,     // decided
    Interval, // an ended interval of an open job
};

struct TrackedJob {
    Job job; // its current interval
    TraceId trace;
    JobState state = JobState::Free;
    bool is_tentative = false; // known by its fence only; events of a job adopt it
    bool is_unnamed = false;   // tentative, and the fence has no seqno yet
    bool has_cut_key = false;
    bool has_row = false; // a place in the order
    bool is_recent = false;
    bool has_pointer = false;     // among its keys
    bool is_held = false;         // its row waits until somebody observes it
    bool is_out_of_order = false; // lost its place
    bool is_in_fifo = false;
    bool has_start_doubt = false; // others ended unseen while it was on the device
    bool ended_by_fence = false;
    bool is_submitted_by_fence = false; // the scheduled one
    bool is_sent = false;               // tentative, but the device has it in any case
    bool is_retired = false;            // the driver is done with it
    bool is_end_untold = false;         // what ends it is not the device
    std::uint8_t key_count = 0;
    std::uint8_t keeper = 0; // a driver that has a say in its end; 0: none
    std::uint32_t generation = 0;
    StepSet steps = 0;   // that told of it
    StepSet told_by = 0; // a tentative job is none where one of these was seen
    std::uint32_t waiters = 0;
    Cpu queued_on; // the CPUs on which events told of the stages
    Cpu submitted_on;
    Cpu completed_on;
    Timestamp begun; // first known time of the first interval
    Timestamp last_event;
    std::optional<std::uint64_t> id; // in its scheduler
    std::uint64_t entity = 0;        // pointer of the scheduler's entity; 0: not told
    KnownTime wait_ended;
    JobOrder::Place row = 0;
    RingFifo::Place place = 0;
    JobIndex first_interval = no_job; // ended ones, linked by `newer`
    JobIndex last_interval = no_job;
    JobIndex older = no_job; // neighbours in the timeline
    JobIndex newer = no_job;
    std::uint32_t timeline = no_job;
    std::uint32_t first_edge = no_job; // of its dependencies
    std::array<JobKey, 4> keys;
};

/// When the interval before ended, else the first event of the job.
inline Timestamp begin_of_interval(const TrackedJob& tracked)
{
    return tracked.job.interval > 0 && tracked.job.queued ? *tracked.job.queued : tracked.begun;
}

/// What the jobs of a fence context that are closed tell of those that come.
struct ContextFacts {
    bool has_closed = false;
    std::uint32_t seqno = 0; // of the latest closed job
    Timestamp first;         // the first known time of the first of them
    KnownTime queued;        // the latest that is known
    KnownTime submitted;
    KnownTime completed;
    Cpu completed_on;
};

class OpenJobs {
public:
    TrackedJob& operator[](JobIndex job) { return m_jobs[job]; }
    const TrackedJob& operator[](JobIndex job) const { return m_jobs[job]; }
    std::size_t capacity() const { return m_jobs.size(); }

    KeySpace add_key_space(const KeyTraits& traits);

    /// May move all jobs in memory.
    JobIndex allocate(TraceId trace, JobState state);
    /// A full key takes the place of the same one cut.
    void add_key(JobIndex job, const JobKey& key);
    /// A pointer may come back at once with another job.
    void remove_pointers(JobIndex job);
    /// Nobody needs it any more.
    void free(JobIndex job);
    /// To be called when one of its reasons to stay is gone.
    void free_if_unused(JobIndex job);
    /// Keeps its keys until this many others have completed after it.
    void set_recent(JobIndex job);

    /// An open job before a done one; no_job too when a cut key fits several.
    JobIndex find(const JobKey& key, bool* is_ambiguous = nullptr);

    void link(JobIndex job);
    void unlink(JobIndex job);
    /// Of one context: its seqno is the smaller, where numbers wrap.
    bool is_before(JobIndex first, JobIndex second) const;
    /// The low half of its fence's; 0 for one without.
    std::uint32_t seqno_of(JobIndex job) const;
    ContextFacts& facts_of(std::uint32_t timeline) { return m_timelines[timeline].facts; }
    /// Null when no job of the context was met lately.
    ContextFacts* find_facts(TraceId trace, std::uint64_t context);
    /// The open job of this context that comes first.
    JobIndex oldest_of(std::uint32_t timeline) const { return m_timelines[timeline].oldest; }

    JobRef ref(JobIndex job) const { return {job, m_jobs[job].generation}; }
    JobIndex get(JobRef ref) const
    {
        const bool is_same = ref.index != no_job && m_jobs[ref.index].generation == ref.generation;
        return is_same ? ref.index : no_job;
    }

private:
    struct Timeline {
        TraceId trace;
        std::uint64_t context = 0;
        JobIndex oldest = no_job;
        JobIndex newest = no_job;
        bool is_used = false;
        ContextFacts facts{};
    };
    static constexpr std::size_t recent_jobs = 256;

    bool is_pointer(KeySpace space) const { return is_in(m_pointer_spaces, space); }
    static bool is_in(std::uint32_t spaces, KeySpace space)
    {
        return (spaces >> static_cast<unsigned>(space) & 1U) != 0;
    }
    static std::uint64_t hash_of(const JobKey& key);
    static void fetch(const TrackedJob& tracked);
    bool is_known_by(JobIndex job, const JobKey& key);
    JobIndex find_best(std::uint64_t hash, const JobKey& key, bool* is_ambiguous);
    std::uint32_t timeline_of(TraceId trace, std::uint64_t context);
    std::uint32_t find_or_add_timeline(TraceId trace, std::uint64_t context);
    void forget_idle_timelines();

    std::uint32_t m_pointer_spaces = 1U << static_cast<unsigned>(KeySpace::Pointer);
    std::uint32_t m_shared_spaces = 1U << static_cast<unsigned>(KeySpace::SchedulerNumber);
    unsigned m_key_spaces = static_cast<unsigned>(KeySpace::SchedulerNumber) + 1;
    std::vector<TrackedJob> m_jobs;
    std::vector<JobIndex> m_free;
    FlatTable<JobKey, JobIndex> m_index;
    BoundedDeque<JobIndex> m_recent;
    std::vector<Timeline> m_timelines;
    std::vector<std::uint32_t> m_free_timelines;
    std::array<std::uint32_t, 64> m_latest_timelines{}; // by the low bits of the context
    FlatTable<std::uint64_t, std::uint32_t> m_timeline_ids;
    std::size_t m_next_forgetting = 4096;
};

} // namespace lttng_gpu::model
