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
    : m_call(function), m_handle(queue), m_event(event), m_type(type), m_kind(kind),
      m_is_blocking(is_blocking), m_wants_times(EVENT_ENABLED(command_times))
{
    if (is_blocking)
        m_call.may_block();
    if (m_wants_times || is_recorded(kind))
        m_queue = find_queue(queue);
    if (!m_queue)
        return;
    m_enqueued_before = newest_command();
    describe_queue(*m_queue, m_call.begin_ns());
    m_is_timed =
        m_wants_times && m_queue->profiling != LTTNG_GPU_OPENCL_PROFILING_OFF && event != no_event;
    if (m_is_timed && !event)
        m_event = &m_own_event;
}

void EnqueueCall::count_unknown() const
{
    const lttng_gpu_opencl_commands_untimed record = {handle(m_handle), 1,
                                                      LTTNG_GPU_OPENCL_NO_MEMORY};
    events.commands_untimed(&record);
}

bool EnqueueCall::returned(cl_int result, cl_uint waits_count, const cl_event* waits)
{
    const bool is_command = result == CL_SUCCESS && m_queue;
    if (result == CL_SUCCESS && !m_queue && m_wants_times && m_handle)
        count_unknown();
    // A command's event is the event of its call, too.
    const bool has_event = is_command && is_recorded(m_kind);
    if (!has_event)
        m_call.returned(result);
    if (!is_command)
        return false;
    m_number = next_command();
    m_waits_count = waits ? waits_count : 0;
    m_waits = waits;
    return has_event;
}

/// Wait lists are short; a longer one costs an allocation. Without memory its end is a command that
/// is not known.
template <class Record, class Fill>
void EnqueueCall::write(void (*write_record)(const Record*), Fill&& fill) const
{
    uint64_t few[16];
    uint64_t* numbers = few;
    uint32_t count = m_waits_count;
    if (count > 16 && !(numbers = static_cast<uint64_t*>(malloc(count * sizeof(*numbers))))) {
        numbers = few;
        count = 16;
    }
    for (uint32_t i = 0; i < count; ++i)
        numbers[i] = command_of(m_waits[i]);
    if (count < m_waits_count)
        numbers[count - 1] = 0;
    Record record = {};
    record.command = m_number;
    record.queue = handle(m_handle);
    record.event = has_application_event() ? handle(*m_event) : 0;
    record.begin_ns = m_call.begin_ns();
    record.type = m_type;
    record.function = uint16_t(m_call.function());
    record.blocking = m_is_blocking;
    record.waits_for_count = count;
    record.waits_for = numbers;
    fill(record);
    write_record(&record);
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
    write(events.kernel_enqueue, [&](lttng_gpu_opencl_kernel_enqueue& record) {
        record.kernel = handle(kernel);
        record.name = kernel_name(kernel);
        record.global_offset = sizes(offset);
        record.global_size = sizes(global);
        record.local_size = sizes(local);
        record.global_offset_count = offset ? work_dim : 0;
        record.global_size_count = global ? work_dim : 0;
        record.local_size_count = local ? work_dim : 0;
    });
}

void EnqueueCall::record_transfer(cl_mem source, cl_mem destination, size_t bytes)
{
    write(events.transfer_enqueue, [&](lttng_gpu_opencl_transfer_enqueue& record) {
        record.source = handle(source);
        record.destination = handle(destination);
        record.bytes = bytes;
    });
}

void EnqueueCall::record_command_buffer(cl_command_buffer_khr buffer)
{
    write(events.command_buffer_enqueue, [&](lttng_gpu_opencl_command_buffer_enqueue& record) {
        record.buffer = handle(buffer);
        record.commands = commands_in(buffer);
    });
}

void EnqueueCall::record_command()
{
    write(events.command_enqueue, [](lttng_gpu_opencl_command_enqueue&) {});
}

bool EnqueueCall::note_event(bool is_pending)
{
    return add_event(*m_event,
                     {m_number, m_queue, 1, is_pending,
                      m_queue->profiling == LTTNG_GPU_OPENCL_PROFILING_LAYER, m_enqueued_before});
}

void EnqueueCall::follow()
{
    const bool is_applications = has_application_event();
    const cl_event event = *m_event;
    if (is_applications) {
        // The program may ask for the event's references, so ours must be known.
        if (!note_event(true)) {
            count_untimed(*m_queue, LTTNG_GPU_OPENCL_NO_MEMORY);
            return;
        }
        core().clRetainEvent(event);
    }
    if (!__atomic_load_n(&m_queue->has_command, __ATOMIC_RELAXED)) {
        __atomic_store_n(&m_queue->has_command, true, __ATOMIC_RELAXED);
        // Some drivers register their handler only with it.
        expect_drivers_end(harvest_before_drivers_end);
    }
    if (append_command(*m_queue,
                       {nullptr, event, m_number, m_enqueued_before, m_type, is_applications}))
        return;
    if (is_applications)
        event_is_reported(event);
    core().clReleaseEvent(event);
}

void EnqueueCall::end()
{
    if (!m_number)
        return;
    if (m_is_timed) {
        follow();
    } else {
        if (has_application_event())
            note_event(false);
        if (m_wants_times)
            count_untimed(*m_queue, m_event == no_event ? LTTNG_GPU_OPENCL_NO_EVENT
                                                        : LTTNG_GPU_OPENCL_NO_PROFILING);
    }
    if (m_is_blocking)
        harvest(*m_queue, m_enqueued_before, m_number);
    else
        harvest_now_and_then(*m_queue);
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
