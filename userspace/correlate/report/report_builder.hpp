// SPDX-License-Identifier: MIT
//
// Takes decided jobs and computes the report: for each ring and each process on
// it, queue depths, latencies, busy time and states. A phase counts when both its
// ends are known, or when the job is alive at the end of a complete trace.
#pragma once

#include "../model/ring_table.hpp"
#include "report.hpp"

#include <map>

namespace lttng_gpu::report {

class ReportBuilder final : public model::JobSink {
public:
    ReportBuilder(const model::RingTable& rings, const Window& window);

    void on_job(const model::Job& job) override;
    /// After the last job; the window has its end.
    Report finish(TraceAccount trace);

private:
    /// Occupancy and latencies of one ring, or of one process on it.
    struct Tally {
        explicit Tally(const Window& window) : occupancy{window} {}

        void add(const model::Job& job, const Window& window);
        void add_alive(const model::Job& job, const Window& window);
        void add_latencies(const model::Job& job);
        Phases summarise(Duration length);

        std::uint64_t jobs = 0;
        Occupancy occupancy;
        LatencyDistribution host_queue;
        LatencyDistribution device_queue;
        LatencyDistribution execution;
    };
    using ProcessKey = std::pair<std::optional<Pid>, StringId>;
    struct RingTally {
        explicit RingTally(const Window& window) : all{window} {}

        Tally all;
        std::uint64_t start_inferred = 0;
        std::uint64_t start_unknown = 0;
        std::map<ProcessKey, Tally> processes;
    };

    void count(const model::Job& job);
    QueueReport make_queue(RingId id, RingTally& tally) const;
    std::vector<ProcessReport> make_processes(RingTally& tally) const;

    const model::RingTable& x_rings;
    const Window& x_window;
    JobCounts x_counts;
    std::map<RingId, RingTally> x_tallies;
};

} // namespace lttng_gpu::report
