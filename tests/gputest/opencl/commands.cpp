// SPDX-License-Identifier: MIT
// Every command is a job of the test GPU driver. Copies are made by the CPU, when the job is over
// or, for what does not block, at once: nobody looks at the data.
#include "commands.hpp"

#include "submitter.hpp"

#include <cstring>

namespace lttng_gpu::gputest {
namespace {

struct WaitList {
    cl_uint count;
    const cl_event* events;
};

/// What the kernel or the system refused.
template <typename Function> cl_int guarded(Function function)
{
    try {
        return function();
    } catch (const std::exception&) {
        return CL_OUT_OF_RESOURCES;
    }
}

/// Gives the command to the queue; the caller gets a reference.
cl_event enqueue(cl_command_queue queue, cl_command_type type, std::string label,
                 std::uint64_t exec_ns, WaitList waits)
{
    auto* command = new _cl_event(queue, type, std::move(label));
    command->exec_ns = std::min<std::uint64_t>(exec_ns, GPUTEST_MAX_EXEC_NS);
    for (cl_uint i = 0; i < std::min<cl_uint>(waits.count, GPUTEST_MAX_IN_SYNCOBJS - 1); ++i)
        command->waits_for.push_back(waits.events[i]->syncobj);
    command->retain();
    const std::lock_guard lock(queue->mutex);
    if ((queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0 && queue->last)
        command->waits_for.push_back(queue->last);
    queue->last = command->syncobj;
    queue->device->submitter->enqueue(command);
    return command;
}

void wait_for(const _cl_event& command, const char* call)
{
    command.queue->device->submitter->wait_until_submitted(command, call);
    command.queue->device->file.wait_syncobj(command.syncobj->handle());
}

void hand_out(cl_event command, cl_event* place)
{
    if (place != nullptr)
        *place = command;
    else
        command->release();
}

cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const std::size_t*, const std::size_t* global, const std::size_t*,
                                  cl_uint count, const cl_event* events, cl_event* event)
{
    return guarded([&] {
        std::uint64_t items = 1;
        for (cl_uint i = 0; i < dimensions; ++i)
            items *= global[i];
        hand_out(
            enqueue(queue, CL_COMMAND_NDRANGE_KERNEL, kernel->name, items * 1000, {count, events}),
            event);
        return CL_SUCCESS;
    });
}

template <typename Copy>
cl_int transfer(cl_command_queue queue, cl_command_type type, const char* label, bool is_blocking,
                std::size_t size, WaitList waits, cl_event* event, Copy copy)
{
    const char* call =
        type == CL_COMMAND_READ_BUFFER ? "clEnqueueReadBuffer" : "clEnqueueWriteBuffer";
    return guarded([&] {
        const cl_event command = enqueue(queue, type, label, 1000 + size / 16, waits);
        if (is_blocking)
            wait_for(*command, call);
        copy();
        hand_out(command, event);
        return CL_SUCCESS;
    });
}

bool is_inside(cl_mem memory, std::size_t offset, std::size_t size)
{
    return offset <= memory->bytes.size() && size <= memory->bytes.size() - offset;
}

cl_int CL_API_CALL enqueue_read(cl_command_queue queue, cl_mem memory, cl_bool is_blocking,
                                std::size_t offset, std::size_t size, void* place, cl_uint count,
                                const cl_event* events, cl_event* event)
{
    if (!is_inside(memory, offset, size))
        return CL_INVALID_VALUE;
    return transfer(queue, CL_COMMAND_READ_BUFFER, "read", is_blocking != 0, size, {count, events},
                    event, [&] { std::memcpy(place, memory->bytes.data() + offset, size); });
}

cl_int CL_API_CALL enqueue_write(cl_command_queue queue, cl_mem memory, cl_bool is_blocking,
                                 std::size_t offset, std::size_t size, const void* data,
                                 cl_uint count, const cl_event* events, cl_event* event)
{
    if (!is_inside(memory, offset, size))
        return CL_INVALID_VALUE;
    return transfer(queue, CL_COMMAND_WRITE_BUFFER, "write", is_blocking != 0, size,
                    {count, events}, event,
                    [&] { std::memcpy(memory->bytes.data() + offset, data, size); });
}

cl_int CL_API_CALL enqueue_marker(cl_command_queue queue, cl_uint count, const cl_event* events,
                                  cl_event* event)
{
    return guarded([&] {
        hand_out(enqueue(queue, CL_COMMAND_MARKER, "marker", 1000, {count, events}), event);
        return CL_SUCCESS;
    });
}

cl_int flush_in(cl_command_queue queue, const char* call)
{
    return guarded([&] {
        queue->device->submitter->flush(call);
        return CL_SUCCESS;
    });
}

cl_int CL_API_CALL flush(cl_command_queue queue)
{
    return flush_in(queue, "clFlush");
}

/// Rings may run jobs side by side, so each of an out-of-order queue would have to be waited for;
/// a job that depends on the last is enough for those in order, the only ones that are promised.
cl_int CL_API_CALL finish(cl_command_queue queue)
{
    return guarded([&] {
        const cl_event last = enqueue(queue, CL_COMMAND_BARRIER, "finish", 1000, {0, nullptr});
        wait_for(*last, "clFinish");
        last->release();
        return CL_SUCCESS;
    });
}

cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event* events)
{
    return guarded([&] {
        for (cl_uint i = 0; i < count; ++i)
            wait_for(*events[i], "clWaitForEvents");
        return CL_SUCCESS;
    });
}

cl_int status_of(const _cl_event& command)
{
    if (!command.is_submitted)
        return CL_QUEUED;
    const int status = command.queue->device->file.syncobj_status(command.syncobj->handle());
    return status == 0 ? CL_SUBMITTED : status > 0 ? CL_COMPLETE : CL_OUT_OF_RESOURCES;
}

cl_int CL_API_CALL event_info(cl_event event, cl_event_info what, std::size_t room, void* place,
                              std::size_t* needed)
{
    return guarded([&] {
        switch (what) {
        case CL_EVENT_COMMAND_QUEUE:
            return answer_value(event->queue, room, place, needed);
        case CL_EVENT_COMMAND_TYPE:
            return answer_value(event->type, room, place, needed);
        case CL_EVENT_COMMAND_EXECUTION_STATUS:
            return answer_value(status_of(*event), room, place, needed);
        case CL_EVENT_REFERENCE_COUNT:
            return answer_value(event->references.load(), room, place, needed);
        case CL_EVENT_CONTEXT:
            return answer_value(event->queue->context, room, place, needed);
        default:
            return CL_INVALID_VALUE;
        }
    });
}

/// The device has no clock that can be asked for: its times are of the kernel's.
cl_int CL_API_CALL profiling_info(cl_event event, cl_profiling_info what, std::size_t room,
                                  void* place, std::size_t* needed)
{
    if (!has_device_times() || status_of(*event) != CL_COMPLETE)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    switch (what) {
    case CL_PROFILING_COMMAND_QUEUED:
        return answer_value(cl_ulong{event->queued_ns}, room, place, needed);
    case CL_PROFILING_COMMAND_SUBMIT:
        return answer_value(cl_ulong{event->submitted_ns}, room, place, needed);
    case CL_PROFILING_COMMAND_START:
    case CL_PROFILING_COMMAND_END:
        break;
    default:
        return CL_INVALID_VALUE;
    }
    const auto execution = execution_of(event->share);
    if (!execution)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    return answer_value(
        cl_ulong{what == CL_PROFILING_COMMAND_START ? execution->first : execution->second}, room,
        place, needed);
}

cl_int CL_API_CALL release_queue(cl_command_queue queue)
{
    // As the specification asks for. Commands of other queues may be waiting, too.
    const cl_int result = flush_in(queue, "clReleaseCommandQueue");
    queue->release();
    return result;
}

} // namespace

void fill_command_functions(cl_icd_dispatch& table)
{
    table.clEnqueueNDRangeKernel = enqueue_kernel;
    table.clEnqueueReadBuffer = enqueue_read;
    table.clEnqueueWriteBuffer = enqueue_write;
    table.clEnqueueMarkerWithWaitList = enqueue_marker;
    table.clFlush = flush;
    table.clFinish = finish;
    table.clWaitForEvents = wait_for_events;
    table.clGetEventInfo = event_info;
    table.clGetEventProfilingInfo = profiling_info;
    table.clRetainEvent = retain_object<_cl_event>;
    table.clReleaseEvent = release_object<_cl_event>;
    table.clRetainCommandQueue = retain_object<_cl_command_queue>;
    table.clReleaseCommandQueue = release_queue;
}

} // namespace lttng_gpu::gputest
