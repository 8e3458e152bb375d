// SPDX-License-Identifier: MIT
#include "enqueue.hpp"

#include <stdlib.h>

#include "command_buffers.hpp"
#include "harvest.hpp"
#include "known_events.hpp"
#include "objects.hpp"
#include "runtime/drivers_end.hpp"
#include "tables.hpp"

namespace lttng_gpu::opencl {

static bool is_recorded(EnqueueCall::Kind kind)
{
    switch (kind) {
    case EnqueueCall::Kind::kernel:
        return EVENT_ENABLED(kernel_enqueue);
    case EnqueueCall::Kind::transfer:
        return EVENT_ENABLED(transfer_enqueue);
    case EnqueueCall::Kind::command_buffer:
        return EVENT_ENABLED(command_buffer_enqueue);
    case EnqueueCall::Kind::command:
        return EVENT_ENABLED(command_enqueue);
    }
    return false;
}

EnqueueCall::EnqueueCall(Name function, cl_command_type type, Kind kind, cl_command_queue queue,
                         bool is_blocking, cl_event* event)
    : x_call(function), x_handle(queue), x_event(event), x_type(type), x_kind(kind),
      x_is_blocking(is_blocking), x_wants_times(EVENT_ENABLED(command_times))
{
    if (is_blocking)
        x_call.may_block();
    if (x_wants_times || is_recorded(kind))
        x_queue = find_queue(queue);
    if (!x_queue)
        return;
    x_enqueued_before = newest_command();
    describe_queue(*x_queue, x_call.begin_ns());
    x_is_timed =
        x_wants_times && x_queue->profiling != LTTNG_GPU_OPENCL_PROFILING_OFF && event != no_event;
    if (x_is_timed && !event)
        x_event = &x_own_event;
}

void EnqueueCall::count_unknown() const
{
    const lttng_gpu_opencl_commands_untimed record = {handle(x_handle), 1,
                                                      LTTNG_GPU_OPENCL_NO_MEMORY};
    events.commands_untimed(&record);
}

bool EnqueueCall::returned(cl_int result, cl_uint waits_count, const cl_event* waits)
{
    const bool is_command = result == CL_SUCCESS && x_queue;
    if (result == CL_SUCCESS && !x_queue && x_wants_times && x_handle)
        count_unknown();
    // A command's event is the event of its call, too.
    const bool has_event = is_command && is_recorded(x_kind);
    if (!has_event)
        x_call.returned(result);
    if (!is_command)
        return false;
    x_number = next_command();
    x_waits_count = waits ? waits_count : 0;
    x_waits = waits;
    return has_event;
}

/// Wait lists are short; a longer one costs an allocation. Without memory its end is a command that
/// is not known.
template <class Function> void EnqueueCall::with_common(Function&& function) const
{
    uint64_t few[16];
    uint64_t* numbers = few;
    uint32_t count = x_waits_count;
    if (count > 16 && !(numbers = static_cast<uint64_t*>(malloc(count * sizeof(*numbers))))) {
        numbers = few;
        count = 16;
    }
    for (uint32_t i = 0; i < count; ++i)
        numbers[i] = command_of(x_waits[i]);
    if (count < x_waits_count)
        numbers[count - 1] = 0;
    function(lttng_gpu_opencl_command{
        x_number, handle(x_handle), has_application_event() ? handle(*x_event) : 0,
        x_call.begin_ns(), x_type, x_is_blocking, numbers, count, uint16_t(x_call.function())});
    if (numbers != few)
        free(numbers);
}

void EnqueueCall::record_kernel(cl_kernel kernel, cl_uint work_dim, const size_t* offset,
                                const size_t* global, const size_t* local)
{
    static_assert(sizeof(size_t) == sizeof(uint64_t), "sizes are recorded as they are");
    const auto sizes = [](const size_t* values) {
        return reinterpret_cast<const uint64_t*>(values);
    };
    with_common([&](const lttng_gpu_opencl_command& common) {
        const lttng_gpu_opencl_kernel_enqueue record = {common,
                                                        handle(kernel),
                                                        kernel_name(kernel),
                                                        sizes(offset),
                                                        sizes(global),
                                                        sizes(local),
                                                        offset ? work_dim : 0,
                                                        global ? work_dim : 0,
                                                        local ? work_dim : 0};
        events.kernel_enqueue(&record);
    });
}

void EnqueueCall::record_transfer(cl_mem source, cl_mem destination, size_t bytes)
{
    with_common([&](const lttng_gpu_opencl_command& common) {
        const lttng_gpu_opencl_transfer_enqueue record = {common, handle(source),
                                                          handle(destination), bytes};
        events.transfer_enqueue(&record);
    });
}

void EnqueueCall::record_command_buffer(cl_command_buffer_khr buffer)
{
    with_common([&](const lttng_gpu_opencl_command& common) {
        const lttng_gpu_opencl_command_buffer_enqueue record = {common, handle(buffer),
                                                                commands_in(buffer)};
        events.command_buffer_enqueue(&record);
    });
}

void EnqueueCall::record_command()
{
    with_common([&](const lttng_gpu_opencl_command& common) {
        const lttng_gpu_opencl_command_enqueue record = {common};
        events.command_enqueue(&record);
    });
}

bool EnqueueCall::note_event(bool is_pending)
{
    return add_event(*x_event,
                     {x_number, x_queue, 1, is_pending,
                      x_queue->profiling == LTTNG_GPU_OPENCL_PROFILING_LAYER, x_enqueued_before});
}

void EnqueueCall::follow()
{
    const bool is_applications = has_application_event();
    const cl_event event = *x_event;
    if (is_applications) {
        // The program may ask for the event's references, so ours must be known.
        if (!note_event(true)) {
            count_untimed(*x_queue, LTTNG_GPU_OPENCL_NO_MEMORY);
            return;
        }
        core().clRetainEvent(event);
    }
    if (!__atomic_load_n(&x_queue->has_command, __ATOMIC_RELAXED)) {
        __atomic_store_n(&x_queue->has_command, true, __ATOMIC_RELAXED);
        // Some drivers register their handler only with it.
        expect_drivers_end(harvest_before_drivers_end);
    }
    if (append_command(*x_queue,
                       {nullptr, event, x_number, x_enqueued_before, x_type, is_applications}))
        return;
    if (is_applications)
        event_is_reported(event);
    core().clReleaseEvent(event);
}

void EnqueueCall::end()
{
    if (!x_number)
        return;
    if (x_is_timed) {
        follow();
    } else {
        if (has_application_event())
            note_event(false);
        if (x_wants_times)
            count_untimed(*x_queue, x_event == no_event ? LTTNG_GPU_OPENCL_NO_EVENT
                                                        : LTTNG_GPU_OPENCL_NO_PROFILING);
    }
    if (x_is_blocking)
        harvest(*x_queue, x_enqueued_before, x_number);
    else
        harvest_now_and_then(*x_queue);
}

size_t volume(const size_t* region)
{
    return region ? region[0] * region[1] * region[2] : 0;
}

size_t image_bytes(cl_mem image, const size_t* region)
{
    size_t element = 0;
    if (core().clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof(element), &element, nullptr) !=
        CL_SUCCESS)
        return 0;
    return element * volume(region);
}

} // namespace lttng_gpu::opencl
