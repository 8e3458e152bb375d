// SPDX-License-Identifier: MIT
//
// The times that a device told of a command, on the trace's clock. Times that are not valid, or
// cannot be mapped, stay unknown and are counted by cause.
#pragma once

#include "../base/anomaly.hpp"
#include "../jobs/job.hpp"
#include "api_objects.hpp"
#include "command_events.hpp"
#include "device_clocks.hpp"

namespace lttng_gpu::model {

/// What was added to the device's times.
struct CommandClock {
    ClockAccount* account = nullptr; // of the device's clock
    Duration offset;
};

class CommandTimes {
public:
    CommandTimes(DeviceClocks& clocks, AnomalyCounters& anomalies)
        : m_clocks{clocks}, m_anomalies{anomalies}
    {
    }

    /// Sets those of `job`, unless clocks are only learned yet. `objects` are its process's;
    /// `enqueued` null: its call was not recorded.
    std::optional<CommandClock> set(ApiObjects& objects, Job& job, const CommandReported& event,
                                    const CommandEnqueued* enqueued);

private:
    void count_invalid(DeviceClocks::Entry& clock, TimesValidity validity);

    DeviceClocks& m_clocks;
    AnomalyCounters& m_anomalies;
};

} // namespace lttng_gpu::model
