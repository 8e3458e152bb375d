// SPDX-License-Identifier: MIT
//
// A step of a job or command, to be written as an event of the device.
#pragma once

#include "../correlate/jobs/job.hpp"

#include <cstddef>

namespace lttng_gpu::exporting {

/// Instead of completed: the job is taken off the ring and will be back.
constexpr std::size_t preempted_stage = 4;

struct DeviceEvent {
    Timestamp time;
    std::size_t stage = 0;   // 0 queued, 1 submitted, 2 started, 3 completed, or preempted_stage
    bool is_command = false; // of an API; else a job of a kernel driver
    model::Basis basis = model::Basis::Unknown;
    model::Job job;
};

} // namespace lttng_gpu::exporting
