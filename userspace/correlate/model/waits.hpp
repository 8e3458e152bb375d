// SPDX-License-Identifier: MIT
//
// Threads that sleep until a fence is signaled. Begin and end are paired by
// thread and fence; a wait inside a wait for the same fence (a driver's own in
// dma_fence_wait()) is the same wait. The first end at or after the completion
// of a job, of a wait that began before it, is when somebody observed it. What
// lies in a gap of the trace, or has no other half, is counted and left out.
#pragma once

#include "job_tracker.hpp"
#include "thread_table.hpp"

namespace lttng_gpu::model {

/// Events that tell of waits, one bit each. A driver's own wait may lie in a wait for the fence,
/// and several probes may tell of that; one of them telling twice is something else.
enum class WaitSource : std::uint32_t {};

class Waits {
public:
    Waits(JobTracker& jobs, AnomalyCounters& anomalies, JobSink& sink)
        : x_jobs{jobs}, x_anomalies{anomalies}, x_sink{sink}
    {
    }

    WaitSource add_source();

    void on_begin(Timestamp time, const Actor& actor, const JobKey& fence, WaitSource source);
    void on_end(Timestamp time, std::optional<Tid> tid, const JobKey& fence, WaitSource source);
    void on_signaled(Timestamp time, const JobKey& fence)
    {
        if (!x_fences.is_empty()) {
            note_signaled(time, fence);
        }
    }
    void on_loss(TraceId trace);
    void finish();

private:
    struct Waiting {
        JobKey fence; // cut
        FenceId shown;
        Actor actor;
        JobRef job;
        Timestamp begin;
        std::optional<Timestamp> signaled;
        std::uint32_t sources = 0; // that have begun and not ended
    };
    static constexpr std::size_t most_waits = 16384;

    void note_signaled(Timestamp time, const JobKey& fence);
    void remove(const ThreadKey& thread, const JobKey& fence);
    static std::uint64_t hash_of(const JobKey& fence);

    unsigned x_sources = 0;
    JobTracker& x_jobs;
    AnomalyCounters& x_anomalies;
    JobSink& x_sink;
    FlatTable<ThreadKey, Waiting> x_waiting;
    FlatTable<JobKey, ThreadKey> x_fences;
};

} // namespace lttng_gpu::model
