// SPDX-License-Identifier: MIT
//
// See command_times.hpp.
#include "command_times.hpp"

#include "../clocks/stage_placement.hpp"

#include <algorithm>

namespace lttng_gpu::model {

void CommandTimes::count_invalid(DeviceClocks::Entry& clock, TimesValidity validity)
{
    switch (validity) {
    case TimesValidity::Unavailable:
        ++clock.account.unavailable;
        m_anomalies.count(Anomaly::CommandTimesUnavailable);
        break;
    case TimesValidity::Disordered:
        ++clock.account.disordered;
        m_anomalies.count(Anomaly::CommandTimesDisordered);
        break;
    default:
        ++clock.account.implausible;
        m_anomalies.count(Anomaly::CommandTimesImplausible);
        break;
    }
}

std::optional<CommandClock> CommandTimes::set(ApiObjects& objects, Job& job,
                                              const CommandReported& event,
                                              const CommandEnqueued* enqueued)
{
    const ApiQueue& queue = objects.queue(event.queue);
    const std::uint64_t device = queue.device.value_or(0);
    DeviceClocks::Entry& clock =
        m_clocks.at(objects.clock_of(device), objects.resolution_of(device));
    if (clock.account.device.empty()) {
        clock.account.device = objects.label_of(objects.clock_of(device).handle);
    }
    const bool has_host_times = enqueued != nullptr && enqueued->queued;
    const auto begin = has_host_times        ? enqueued->queued
                       : enqueued == nullptr ? std::nullopt
                                             : enqueued->begin;
    if (event.validity != TimesValidity::Valid) {
        if (m_clocks.use() != DeviceClocks::Use::Learning) { // else they are counted again
            count_invalid(clock, event.validity);
        }
        return {};
    }
    if (m_clocks.use() != DeviceClocks::Use::Learned) {
        const std::array<ClockReading, 2> readings{
            {{event.device[0], begin, {}}, {event.device[3], {}, event.observed}}};
        clock.clock.add(readings, event.seen);
    }
    if (m_clocks.use() == DeviceClocks::Use::Learning) {
        return {};
    }
    StageTimes stages{event.device, {}, begin, event.observed};
    bool is_mapped = true;
    for (std::size_t stage = 0; stage < stages.mapped.size(); ++stage) {
        const auto mapped = clock.clock.map(event.device[stage], event.seen);
        is_mapped = is_mapped && mapped;
        stages.mapped[stage] = mapped.value_or(MappedTime{});
    }
    const auto& [queued, submitted, started, completed] = stages.mapped;
    // A report that was refused may still fit no mapping of the others.
    is_mapped = is_mapped && !(begin && queued.time + queued.error < *begin) &&
                !(event.observed && *event.observed < completed.time - completed.error);
    const auto placed =
        is_mapped ? place_stages(stages, clock.account.offset) : std::optional<PlacedStages>{};
    if (!placed) {
        ++clock.account.unmapped;
        m_anomalies.count(Anomaly::CommandTimesUnmapped);
        return {};
    }
    job.started = placed->times[2];
    // The host notes `submitted` just before it tells the device, which may have looked itself.
    job.queued = has_host_times ? std::min(*enqueued->queued, *job.started) : placed->times[0];
    if (has_host_times && !enqueued->is_queued_known) {
        job.queued.reset();
    }
    job.submitted =
        has_host_times ? std::min(*enqueued->submitted, *job.started) : placed->times[1];
    job.completed = placed->times[3];
    const Duration error = std::ranges::max(placed->errors);
    std::ranges::for_each(placed->errors, [&](Duration each) { clock.count_error(each); });
    ++clock.account.mapped;
    clock.account.offset = placed->offset;
    job.clock_error = error;
    job.started_basis = Basis::Observed;
    job.completed_basis = Basis::Observed;
    return CommandClock{&clock.account, placed->offset};
}

} // namespace lttng_gpu::model
