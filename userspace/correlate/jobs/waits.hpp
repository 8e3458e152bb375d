// SPDX-License-Identifier: MIT
//
// Threads that sleep until a fence is signaled. Begin and end are paired by
// thread and fence; a wait inside a wait for the same fence (a driver's own in
// dma_fence_wait()) is the same wait. The first end at or after the completion
// of a job, of a wait that began before it, is when somebody observed it. What
// lies in a gap of the trace, or has no other half, is counted and left out. A wait
// that lasts at the end of the trace is told then, with its thread and its fence.
#pragma once

#include "../system/text_ids.hpp"
#include "../system/thread_table.hpp"
#include "job_tracker.hpp"

#include <string>
#include <vector>

namespace lttng_gpu::model {

/// Events that tell of waits, one bit each. A driver's own wait may lie in a wait for the fence,
/// and several probes may tell of that; one of them telling twice is something else.
enum class WaitSource : std::uint32_t {};

/// A thread that waits at the end of the trace for a fence that no event of the trace signals.
struct OpenWait {
    Actor actor;
    std::string comm;
    FenceId fence;
    std::string driver; // of the fence, like its timeline; empty: no event said it
    std::string timeline;
    std::string device; // of the ring of the fence's job, if that is known
    std::string ring;
    Timestamp begin;
    bool is_longest = false; // longer than any wait of its trace that ended
};

class Waits {
public:
    /// What the event says of the fence itself; texts are valid until the call returns.
    struct FenceNames {
        std::string_view driver;
        std::string_view timeline;
    };

    Waits(JobTracker& jobs, TextIds& texts, AnomalyCounters& anomalies, JobSink& sink)
        : m_jobs{jobs}, m_texts{texts}, m_anomalies{anomalies}, m_sink{sink}
    {
    }

    WaitSource add_source();

    void on_begin(Timestamp time, const Actor& actor, const JobKey& fence, WaitSource source,
                  const FenceNames& names = {});
    void on_end(Timestamp time, std::optional<Tid> tid, const JobKey& fence, WaitSource source);
    void on_signaled(Timestamp time, const JobKey& fence)
    {
        if (!m_fences.is_empty()) {
            note_signaled(time, fence);
        }
    }
    void on_loss(TraceId trace);
    /// The trace is over, and the job tracker has finished.
    void finish(const RingTable& rings, Timestamp end);
    /// After finish(), the longest first.
    const std::vector<OpenWait>& open() const { return m_open; }

private:
    struct Waiting {
        JobKey fence; // cut
        FenceId shown;
        Actor actor;
        JobRef job;
        Timestamp begin;
        std::optional<Timestamp> signaled;
        std::uint32_t sources = 0; // that have begun and not ended
        StringId driver;
        StringId timeline;
        bool is_cut = false; // `shown` is
    };
    /// What tells whether the ends of waits are recorded.
    struct Ends {
        std::uint32_t seen = 0;   // sources of which an end was seen
        std::uint32_t missed = 0; // of which an end was not seen though the thread went on
        Duration longest;
    };
    static constexpr std::size_t most_waits = 16384;

    void note_signaled(Timestamp time, const JobKey& fence);
    void remove(const ThreadKey& thread, const JobKey& fence);
    static std::uint64_t hash_of(const JobKey& fence);
    bool is_open(const ThreadKey& thread, const Waiting& waiting);

    unsigned m_sources = 0;
    JobTracker& m_jobs;
    TextIds& m_texts;
    AnomalyCounters& m_anomalies;
    JobSink& m_sink;
    FlatTable<ThreadKey, Waiting> m_waiting;
    FlatTable<JobKey, ThreadKey> m_fences;
    PerTrace<Ends> m_ends;
    std::vector<OpenWait> m_open;
};

} // namespace lttng_gpu::model
