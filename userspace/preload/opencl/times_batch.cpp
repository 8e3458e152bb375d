// SPDX-License-Identifier: MIT
#include "times_batch.hpp"

#include "provider.hpp"
#include "tables.hpp"

namespace lttng_gpu::opencl {

/// A device's clock has run for longer than this when a command is complete.
static constexpr uint64_t least_end = 1000;

TimesBatch::TimesBatch(Queue& queue)
    : m_queue(queue), m_record{handle(queue.handle),
                               0,
                               CL_COMPLETE,
                               LTTNG_GPU_OPENCL_VALID,
                               0,
                               m_command,
                               m_type,
                               m_queued,
                               m_submit,
                               m_start,
                               m_end}
{
}

static bool get_time(cl_event event, cl_profiling_info what, uint64_t& time)
{
    cl_ulong value = 0;
    const cl_int result =
        core().clGetEventProfilingInfo(event, what, sizeof(value), &value, nullptr);
    time = result == CL_SUCCESS ? value : 0;
    return result == CL_SUCCESS;
}

lttng_gpu_opencl_validity TimesBatch::judge(uint32_t place)
{
    const uint64_t values[4] = {m_queued[place], m_submit[place], m_start[place], m_end[place]};
    if (!(values[0] <= values[1] && values[1] <= values[2] && values[2] <= values[3]) ||
        values[0] == values[3])
        return LTTNG_GPU_OPENCL_DISORDERED;
    bool is_repeated = true;
    for (unsigned i = 0; i < 4; ++i) {
        is_repeated = is_repeated && m_queue.last_times[i] == values[i];
        m_queue.last_times[i] = values[i];
    }
    return is_repeated || values[3] < least_end ? LTTNG_GPU_OPENCL_IMPLAUSIBLE
                                                : LTTNG_GPU_OPENCL_VALID;
}

bool TimesBatch::add(const Command& command, uint64_t observed_ns)
{
    uint32_t place = m_record.count;
    // The end is asked for first: only a complete command has one.
    const bool has_times = get_time(command.event, CL_PROFILING_COMMAND_END, m_end[place]) &&
                           get_time(command.event, CL_PROFILING_COMMAND_START, m_start[place]) &&
                           get_time(command.event, CL_PROFILING_COMMAND_SUBMIT, m_submit[place]) &&
                           get_time(command.event, CL_PROFILING_COMMAND_QUEUED, m_queued[place]);
    cl_int status = CL_COMPLETE;
    lttng_gpu_opencl_validity validity = LTTNG_GPU_OPENCL_UNAVAILABLE;
    if (has_times) {
        validity = judge(place);
    } else {
        core().clGetEventInfo(command.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                              &status, nullptr);
        if (status > CL_COMPLETE)
            return false;
        m_queued[place] = m_submit[place] = m_start[place] = m_end[place] = 0;
    }
    if (status != m_record.status || validity != m_record.validity) {
        begin(status, validity);
        m_queued[0] = m_queued[place];
        m_submit[0] = m_submit[place];
        m_start[0] = m_start[place];
        m_end[0] = m_end[place];
        place = 0;
    }
    m_command[place] = command.number;
    m_type[place] = command.type;
    m_record.observed_ns = observed_ns;
    if (++m_record.count == most)
        write();
    return true;
}

/// An event's commands share their outcome.
void TimesBatch::begin(int32_t status, lttng_gpu_opencl_validity validity)
{
    write();
    m_record.status = status;
    m_record.validity = validity;
}

void TimesBatch::write()
{
    if (m_record.count && take_untold(m_queue, m_record.count))
        events.command_times(&m_record);
    m_record.count = 0;
}

} // namespace lttng_gpu::opencl
