// SPDX-License-Identifier: MIT
//
// Takes decided jobs, dependencies and waits and computes the report: for each
// ring and each process on it, queue depths, latencies, busy time and states. A
// phase counts when both its ends are known, or when the job is alive at the end
// of a complete trace. A job with several intervals counts once, by its last, and
// its latencies are sums. Memory does not depend on the number of jobs. Rings and
// texts are looked up in finish() only, so that another thread may be adding some;
// the bounds of the window are read when the first item comes.
#pragma once

#include "../base/workers.hpp"
#include "../rings/ring_table.hpp"
#include "call_table.hpp"
#include "dependency_table.hpp"
#include "longest_jobs.hpp"
#include "window.hpp"

#include <unordered_map>

namespace lttng_gpu::report {

class ReportBuilder final : public model::JobSink {
public:
    ReportBuilder(const model::RingTable& rings, const Window& window, LatencyBudget budget = {});

    void on_job(const model::Job& job) override;
    void on_dependency(const model::Dependency& dependency) override;
    void on_wait(const model::Wait& wait) override;
    void on_unseen(const model::UnseenJobs& jobs) override;
    /// Of the longest jobs; before the first job.
    void keep_longest(std::size_t most) { m_longest.keep(most); }
    void on_frame(const model::Frame& frame) override;
    void on_api_call(const model::ReturnedCall& call) override;
    void on_completion_notice(const model::CompletionNotice& end) override;
    /// After the last item; the window has its end. With workers, rings are summed up side by side.
    Report finish(TraceAccount trace, Workers* workers = nullptr);

private:
    /// Of the intervals so far.
    struct Intervals {
        KnownTime queued; // the first of them
        PhaseLengths lengths;
    };
    struct JobHash {
        std::size_t operator()(const std::array<std::uint64_t, 3>& job) const
        {
            return mix_hash(mix_hash(job[0], job[1]), job[2]);
        }
    };
    using Preempted = std::unordered_map<std::array<std::uint64_t, 3>, Intervals, JobHash>;

    void start();
    bool contains(Timestamp time) const
    {
        return m_first <= time.value() && time.value() < m_limit;
    }
    std::int64_t clip(Timestamp time) const { return std::clamp(time.value(), m_first, m_limit); }
    void count(const model::Job& job);
    void count_on_ring(const model::Job& job, ProcessTally& process);
    bool is_plain(const model::Job& job) const;
    Life life_of(const model::Job& job) const;
    void add_life(const model::Job& job, std::uint32_t process);
    void add_uncertain(const model::Job& job, UncertainTimes& uncertain) const;
    std::int64_t inside(Timestamp time) const { return clip(time) - m_first; }
    void add_latencies(const model::Job& job, ProcessTally& process);
    static PhaseLengths lengths_of(const model::Job& job);
    /// Sums over the intervals of a job; the total when this is the last.
    std::optional<Intervals> add_interval(const model::Job& job);
    void add_to_tables(const model::Job& job, KnownTime queued, const PhaseLengths& lengths);
    WaitTally& waits_of(const model::Wait& wait);

    const model::RingTable& m_rings;
    const Window& m_window;
    bool m_is_started = false;
    std::int64_t m_first = 0;
    std::int64_t m_limit = 0; // exclusive
    JobCounts m_counts;
    LatencyBudget m_budget;
    Occupancy m_occupancy;
    Tallies m_tallies;
    DependencyTable m_dependencies;
    FrameSummary m_frames;
    ApiCallTable m_api_calls;
    Preempted m_preempted;
    LongestJobs m_longest;
    CallTable m_calls;
    KeyIndex<ActorKey> m_foreign_waiters;
    std::vector<WaitTally> m_foreign_waits;
    std::uint64_t m_out_of_order = 0;
    std::uint64_t m_without_ring = 0;
    UncertainTimes m_uncertain; // of jobs whose ring is unknown
};

} // namespace lttng_gpu::report
