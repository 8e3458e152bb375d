// SPDX-License-Identifier: MIT
//
// Who lives how long. Commands enqueued without an event, objects released while commands wait, and
// the end of a context when the last of its objects is gone: a layer that keeps an object shows
// here.
#include "event_facts.hpp"
#include "sections.hpp"

namespace conformance {

namespace {

void CL_CALLBACK context_ended(cl_context, void* data)
{
    static_cast<Count*>(data)->add();
}

void CL_CALLBACK memory_ended(cl_mem, void* data)
{
    static_cast<Count*>(data)->add();
}

struct Ends {
    Count context, memory;
};

cl_context watched_context(const Device& device, Ends& ends)
{
    cl_context context = clCreateContext(nullptr, 1, &device.device, nullptr, nullptr, nullptr);
    CALL("watched", clSetContextDestructorCallback, context, context_ended, &ends.context);
    return context;
}

cl_mem watched_memory(cl_context context, Ends& ends)
{
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
    CALL("watched", clSetMemObjectDestructorCallback, memory, memory_ended, &ends.memory);
    return memory;
}

cl_command_queue plain_queue(cl_context context, const Device& device,
                             cl_command_queue_properties properties)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    return clCreateCommandQueueWithProperties(context, device.device, list, nullptr);
}

void counts(const char* words, cl_context context, cl_command_queue queue, cl_mem memory)
{
    line("%s", words);
    REFERENCES_LEFT("context", clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT);
    REFERENCES_LEFT("queue", clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
    REFERENCES_LEFT("memory", clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT);
}

// Everything is released at the end of its use, in the usual order.
void used_and_released(const Device& device, cl_command_queue_properties properties,
                       bool has_events)
{
    Ends ends;
    cl_context context = watched_context(device, ends);
    cl_command_queue queue = plain_queue(context, device, properties);
    cl_mem memory = watched_memory(context, ends);
    counts("before commands", context, queue, memory);
    const cl_uint value = 1;
    for (int i = 0; i < 100; ++i) {
        cl_event event = nullptr;
        clEnqueueFillBuffer(queue, memory, &value, 4, 0, 64, 0, nullptr,
                            has_events ? &event : nullptr);
        if (has_events)
            clReleaseEvent(event);
    }
    CALL("all", clFinish, queue);
    counts("after commands", context, queue, memory);
    CALL("memory", clReleaseMemObject, memory);
    line("%d memory ended", ends.memory.settled(1));
    CALL("queue", clReleaseCommandQueue, queue);
    CALL("context", clReleaseContext, context);
    line("%d contexts ended", ends.context.settled(1));
}

// Everything is released while a command still waits.
void released_early(const Device& device, cl_command_queue_properties properties)
{
    Ends ends;
    cl_context context = watched_context(device, ends);
    cl_command_queue queue = plain_queue(context, device, properties);
    cl_mem memory = watched_memory(context, ends);
    cl_event gate = clCreateUserEvent(context, nullptr), event = nullptr;
    const cl_uint value = 1;
    CALL("behind the gate", clEnqueueFillBuffer, queue, memory, &value, 4, 0, 64, 1, &gate, &event);
    CALL("queue", clFlush, queue);
    CALL("memory", clReleaseMemObject, memory);
    CALL("queue", clReleaseCommandQueue, queue);
    CALL("context", clReleaseContext, context);
    line("%d memory, %d contexts ended", ends.memory.value(), ends.context.value());
    CALL("the gate", clSetUserEventStatus, gate, CL_COMPLETE);
    finish(event, "fill");
    CALL("gate", clReleaseEvent, gate);
    line("%d memory ended", ends.memory.settled(1));
    line("%d contexts ended", ends.context.settled(1));
}

// The event is the last thing that the application holds.
void event_outlives(const Device& device, cl_command_queue_properties properties)
{
    Ends ends;
    cl_context context = watched_context(device, ends);
    cl_command_queue queue = plain_queue(context, device, properties);
    cl_event event = nullptr;
    CALL("one", clEnqueueMarkerWithWaitList, queue, 0, nullptr, &event);
    CALL("all", clFinish, queue);
    CALL("queue", clReleaseCommandQueue, queue);
    CALL("context", clReleaseContext, context);
    finish(event, "marker");
    line("%d contexts ended", ends.context.settled(1));
}

} // namespace

void references(const Device& device)
{
    for (cl_command_queue_properties properties :
         {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        line("queue of properties %llx", (unsigned long long)properties);
        used_and_released(device, properties, false);
        used_and_released(device, properties, true);
        released_early(device, properties);
        event_outlives(device, properties);
    }
}

} // namespace conformance
