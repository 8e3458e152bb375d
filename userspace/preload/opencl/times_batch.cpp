// SPDX-License-Identifier: MIT
#include "times_batch.hpp"

#include "provider.hpp"
#include "tables.hpp"

namespace lttng_gpu::opencl {

/// A device's clock has run for longer than this when a command is complete.
static constexpr uint64_t least_end = 1000;

TimesBatch::TimesBatch(Queue& queue)
    : x_queue(queue), x_record{handle(queue.handle),
                               0,
                               x_command,
                               x_type,
                               x_queued,
                               x_submit,
                               x_start,
                               x_end,
                               0,
                               CL_COMPLETE,
                               LTTNG_GPU_OPENCL_VALID}
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
    const uint64_t values[4] = {x_queued[place], x_submit[place], x_start[place], x_end[place]};
    if (!(values[0] <= values[1] && values[1] <= values[2] && values[2] <= values[3]) ||
        values[0] == values[3])
        return LTTNG_GPU_OPENCL_DISORDERED;
    bool is_repeated = true;
    for (unsigned i = 0; i < 4; ++i) {
        is_repeated = is_repeated && x_queue.last_times[i] == values[i];
        x_queue.last_times[i] = values[i];
    }
    return is_repeated || values[3] < least_end ? LTTNG_GPU_OPENCL_IMPLAUSIBLE
                                                : LTTNG_GPU_OPENCL_VALID;
}

bool TimesBatch::add(const Command& command, uint64_t observed_ns)
{
    uint32_t place = x_record.count;
    // The end is asked for first: only a complete command has one.
    const bool has_times = get_time(command.event, CL_PROFILING_COMMAND_END, x_end[place]) &&
                           get_time(command.event, CL_PROFILING_COMMAND_START, x_start[place]) &&
                           get_time(command.event, CL_PROFILING_COMMAND_SUBMIT, x_submit[place]) &&
                           get_time(command.event, CL_PROFILING_COMMAND_QUEUED, x_queued[place]);
    cl_int status = CL_COMPLETE;
    lttng_gpu_opencl_validity validity = LTTNG_GPU_OPENCL_UNAVAILABLE;
    if (has_times) {
        validity = judge(place);
    } else {
        core().clGetEventInfo(command.event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                              &status, nullptr);
        if (status > CL_COMPLETE)
            return false;
        x_queued[place] = x_submit[place] = x_start[place] = x_end[place] = 0;
    }
    if (status != x_record.status || validity != x_record.validity) {
        begin(status, validity);
        x_queued[0] = x_queued[place];
        x_submit[0] = x_submit[place];
        x_start[0] = x_start[place];
        x_end[0] = x_end[place];
        place = 0;
    }
    x_command[place] = command.number;
    x_type[place] = command.type;
    x_record.observed_ns = observed_ns;
    if (++x_record.count == most)
        write();
    return true;
}

/// An event's commands share their outcome.
void TimesBatch::begin(int32_t status, lttng_gpu_opencl_validity validity)
{
    write();
    x_record.status = status;
    x_record.validity = validity;
}

void TimesBatch::write()
{
    if (x_record.count && take_untold(x_queue, x_record.count))
        events.command_times(&x_record);
    x_record.count = 0;
}

} // namespace lttng_gpu::opencl
