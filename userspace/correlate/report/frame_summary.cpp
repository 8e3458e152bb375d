// SPDX-License-Identifier: MIT
//
// See frame_summary.hpp.
#include "frame_summary.hpp"

namespace lttng_gpu::report {
namespace {

enum Length : std::size_t {
    Interval,
    InCalls,
    HostQueue,
    DeviceQueue,
    Execution,
    Observation,
    InCallsOnCpu,
    Gpu
};

} // namespace

void FrameSummary::add(const model::Frame& frame)
{
    const std::int64_t pid = frame.actor.pid ? frame.actor.pid->value() : -1;
    Surface& surface = m_surfaces[{pid, frame.actor.origin, frame.api, frame.surface}];
    surface.pid = frame.actor.pid;
    surface.comm = frame.actor.comm;
    SurfaceReport& counts = surface.counts;
    ++counts.frames;
    counts.judged += frame.lateness != model::Lateness::Unknown ? 1 : 0;
    counts.jobs += frame.jobs;
    counts.jobs_by_time += frame.jobs_by_time;
    if (frame.lateness == model::Lateness::Late) {
        ++counts.late;
        ++counts.late_by[static_cast<std::size_t>(frame.late_by)];
    }
    const auto add_length = [&](Length which, const KnownDuration& length) {
        if (length) {
            LatencyDistribution*& lengths = surface.lengths[which];
            lengths = lengths == nullptr ? &m_budget.make() : lengths;
            lengths->add(*length);
            m_budget.on_added(1);
        }
    };
    add_length(Interval, frame.interval());
    add_length(InCalls, frame.in_calls);
    add_length(InCallsOnCpu, frame.in_calls_on_cpu);
    add_length(HostQueue, frame.host_queue);
    add_length(DeviceQueue, frame.device_queue);
    add_length(Execution, frame.execution_wall);
    add_length(Gpu, frame.gpu);
    add_length(Observation, frame.completed && frame.observed && *frame.completed <= *frame.observed
                                ? KnownDuration{*frame.observed - *frame.completed}
                                : KnownDuration{});
}

std::vector<SurfaceReport> FrameSummary::finish(const model::RingTable& texts) const
{
    std::vector<SurfaceReport> reports;
    for (const auto& [key, surface] : m_surfaces) {
        SurfaceReport& report = reports.emplace_back(surface.counts);
        report.api = texts.text(std::get<StringId>(key));
        report.pid = surface.pid;
        report.comm = texts.text(surface.comm);
        report.surface = std::get<3>(key);
        const auto summary = [&](Length which) {
            return surface.lengths[which] != nullptr ? surface.lengths[which]->summarise()
                                                     : LatencySummary{};
        };
        report.interval = summary(Interval);
        report.in_calls = summary(InCalls);
        report.in_calls_on_cpu = summary(InCallsOnCpu);
        report.host_queue = summary(HostQueue);
        report.device_queue = summary(DeviceQueue);
        report.execution = summary(Execution);
        report.gpu = summary(Gpu);
        report.observation = summary(Observation);
    }
    return reports;
}

} // namespace lttng_gpu::report
