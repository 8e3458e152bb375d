// SPDX-License-Identifier: MIT
//
// Times of complete commands of one queue, on their way into one event: LTTng's own part of an
// event costs more than the times of several commands.
#pragma once

#include "queues.hpp"

namespace lttng_gpu::opencl {

class TimesBatch {
public:
    explicit TimesBatch(Queue& queue);
    TimesBatch(const TimesBatch&) = delete;
    TimesBatch& operator=(const TimesBatch&) = delete;
    /// Writes what is left.
    ~TimesBatch() { write(); }

    /// Asks the driver. False if the command is not complete after all. `observed_ns`: a moment at
    /// which it was thought to be; of an event's commands, the last one's holds for all.
    bool add(const Command& command, uint64_t observed_ns);

private:
    /// 1.5 KiB, which the smallest sub-buffer that LTTng makes holds.
    static constexpr uint32_t most = 32;

    lttng_gpu_opencl_validity judge(uint32_t place);
    void begin(int32_t status, lttng_gpu_opencl_validity validity);
    void write();

    Queue& m_queue;
    lttng_gpu_opencl_command_times m_record;
    uint64_t m_command[most], m_type[most];
    uint64_t m_queued[most], m_submit[most], m_start[most], m_end[most];
};

} // namespace lttng_gpu::opencl
