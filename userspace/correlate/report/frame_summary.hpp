// SPDX-License-Identifier: MIT
//
// Sums up the frames of each surface, for `report` and `frames`. Texts are looked up in finish().
#pragma once

#include "../calls/frame.hpp"
#include "../rings/ring_table.hpp"
#include "latency.hpp"

#include <map>
#include <tuple>

namespace lttng_gpu::report {

struct SurfaceReport {
    std::string api;
    std::optional<Pid> pid;
    std::string comm;
    std::uint64_t surface = 0;
    std::uint64_t frames = 0;
    std::uint64_t judged = 0; // of these: it is known whether they were late
    std::uint64_t late = 0;
    std::array<std::uint64_t, model::frame_parts> late_by{};
    std::uint64_t jobs = 0;
    std::uint64_t jobs_by_time = 0;
    LatencySummary interval;
    LatencySummary in_calls;        // passed
    LatencySummary in_calls_on_cpu; // of that, as far as sched_switch tells it
    LatencySummary host_queue;
    LatencySummary device_queue;
    LatencySummary execution;
    LatencySummary gpu;         // by the layer's times of the GPU
    LatencySummary observation; // from the end of the last job to a CPU waiter that knows it
};

class FrameSummary {
public:
    void add(const model::Frame& frame);
    bool is_empty() const { return m_surfaces.empty(); }
    /// In order of process and surface.
    std::vector<SurfaceReport> finish(const model::RingTable& texts) const;

private:
    struct Surface {
        std::optional<Pid> pid;
        StringId comm; // of the latest
        SurfaceReport counts;
        std::array<LatencyDistribution*, 8> lengths{};
    };
    /// Pid, where it holds, API, surface.
    using Key = std::tuple<std::int64_t, OriginId, StringId, std::uint64_t>;

    LatencyBudget m_budget;
    std::map<Key, Surface> m_surfaces;
};

} // namespace lttng_gpu::report
