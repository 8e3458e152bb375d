// SPDX-License-Identifier: MIT
//
// Which open jobs wait for which fences. An edge ends when the fence is signaled
// or the job goes on without it, whichever comes first; then it is handed on.
// How many are remembered is bounded.
#pragma once

#include "../base/anomaly.hpp"
#include "open_jobs.hpp"

namespace lttng_gpu::model {

class Dependencies {
public:
    Dependencies(OpenJobs& jobs, AnomalyCounters& anomalies, JobSink& sink)
        : m_jobs{jobs}, m_anomalies{anomalies}, m_sink{sink}
    {
    }

    /// `fence` is what the open `job` waits for.
    void add(Timestamp time, JobIndex job, const JobKey& fence, bool is_blocking);
    void on_signaled(Timestamp time, const JobKey& fence)
    {
        if (!m_waiting.is_empty()) {
            end_all(time, fence);
        }
    }
    /// The job was submitted or is gone; nothing holds it up any more.
    void on_gone_on(std::optional<Timestamp> time, JobIndex job)
    {
        if (m_jobs[job].first_edge != no_job) {
            end_job(time, job);
        }
    }

private:
    struct Edge {
        Dependency dependency;
        JobKey fence;
        JobIndex job = no_job;
        std::uint32_t next = no_job; // of the same job
        bool is_used = false;
    };
    static constexpr std::size_t most_edges = 16384;

    static std::uint64_t hash_of(const JobKey& fence);
    void end_all(Timestamp time, const JobKey& fence);
    void end_job(std::optional<Timestamp> time, JobIndex job);
    void hand_on(std::uint32_t edge, std::optional<Timestamp> time);
    void unlink(std::uint32_t edge);

    OpenJobs& m_jobs;
    AnomalyCounters& m_anomalies;
    JobSink& m_sink;
    std::vector<Edge> m_edges;
    std::vector<std::uint32_t> m_free;
    FlatTable<JobKey, std::uint32_t> m_waiting;
};

} // namespace lttng_gpu::model
