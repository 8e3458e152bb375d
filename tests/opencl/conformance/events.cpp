// SPDX-License-Identifier: MIT
//
// Events: those of the user, wait lists, markers and barriers, and what they say while a command
// waits.
#include "event_facts.hpp"
#include "sections.hpp"

#include <vector>

namespace conformance {

namespace {

void user_events(cl_context context)
{
    cl_event event = MAKE("the user's", clCreateUserEvent, context);
    INFO(cl_int, "status", clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS);
    INFO(cl_uint, "type", clGetEventInfo, event, CL_EVENT_COMMAND_TYPE);
    INFO(cl_uint, "references", clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT);
    const auto queue =
        INFO_HIDDEN(cl_command_queue, "queue", clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE);
    line("%s", queue ? "a queue" : "no queue");
    times(event, "user event");
    CALL("neither complete nor failed", clSetUserEventStatus, event, CL_RUNNING);
    CALL("complete", clSetUserEventStatus, event, CL_COMPLETE);
    CALL("complete again", clSetUserEventStatus, event, CL_COMPLETE);
    CALL("once more", clRetainEvent, event);
    INFO(cl_uint, "references", clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT);
    CALL("back", clReleaseEvent, event);
    finish(event, "user event");
    MAKE("no context", clCreateUserEvent, nullptr);
    CALL("no event", clSetUserEventStatus, nullptr, CL_COMPLETE);
}

// Commands that wait for the user say so, and count as the application holds them.
void waiting_commands(const Context& context, cl_command_queue queue)
{
    cl_event gate = clCreateUserEvent(context, nullptr);
    cl_mem memory = context.buffer(64);
    const cl_uint value = 17;
    cl_event filled = nullptr, marker = nullptr, barrier = nullptr;
    CALL("behind the gate", clEnqueueFillBuffer, queue, memory, &value, 4, 0, 64, 1, &gate,
         &filled);
    CALL("behind the fill", clEnqueueMarkerWithWaitList, queue, 1, &filled, &marker);
    CALL("behind all", clEnqueueBarrierWithWaitList, queue, 0, nullptr, &barrier);
    const auto status_of = [](cl_event event) {
        cl_int state = 777;
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, nullptr);
        // Queued or submitted: the driver's choice.
        return state == CL_QUEUED || state == CL_SUBMITTED ? "waits" : "does not wait";
    };
    line("fill %s, marker %s, barrier %s", status_of(filled), status_of(marker),
         status_of(barrier));
    INFO(cl_uint, "references", clGetEventInfo, filled, CL_EVENT_REFERENCE_COUNT);
    INFO(cl_uint, "references", clGetEventInfo, marker, CL_EVENT_REFERENCE_COUNT);
    INFO(cl_uint, "references", clGetMemObjectInfo, memory, CL_MEM_REFERENCE_COUNT);
    times(filled, "waiting fill");
    CALL("the queue", clFlush, queue);
    CALL("the gate", clSetUserEventStatus, gate, CL_COMPLETE);
    finish(barrier, "barrier");
    finish(marker, "marker");
    finish(filled, "fill");
    cl_uint result[16] = {};
    CALL("all", clEnqueueReadBuffer, queue, memory, CL_TRUE, 0, 64, result, 0, nullptr, nullptr);
    line("%u %u", result[0], result[15]);
    CALL("last", clReleaseMemObject, memory);
    CALL("last", clReleaseEvent, gate);
}

void failing_gate(const Context& context, cl_command_queue queue)
{
    cl_event gate = clCreateUserEvent(context, nullptr), marker = nullptr;
    CALL("behind the gate", clEnqueueMarkerWithWaitList, queue, 1, &gate, &marker);
    CALL("fails", clSetUserEventStatus, gate, -5);
    CALL("fails twice", clSetUserEventStatus, gate, -6);
    CALL("for a failed one", clWaitForEvents, 1, &marker);
    INFO(cl_int, "status", clGetEventInfo, marker, CL_EVENT_COMMAND_EXECUTION_STATUS);
    INFO(cl_int, "status of the gate", clGetEventInfo, gate, CL_EVENT_COMMAND_EXECUTION_STATUS);
    times(marker, "failed marker");
    CALL("marker", clReleaseEvent, marker);
    CALL("gate", clReleaseEvent, gate);
}

void of_old(const Context& context, cl_command_queue queue)
{
    cl_event marker = nullptr, gate = clCreateUserEvent(context, nullptr);
    CALL("of old", clEnqueueMarker, queue, &marker);
    CALL_IF_SURVIVED("of old", clEnqueueWaitForEvents, queue, 1, &gate);
    CALL("of old", clEnqueueBarrier, queue);
    CALL("the gate", clSetUserEventStatus, gate, CL_COMPLETE);
    finish(marker, "old marker");
    CALL("all", clFinish, queue);
    CALL("no event asked", clEnqueueMarker, queue, nullptr);
    CALL_IF_SURVIVED("none", clEnqueueWaitForEvents, queue, 0, nullptr);
    CALL("no queue", clEnqueueMarker, nullptr, &marker);
    CALL("no queue", clEnqueueBarrier, nullptr);
    CALL("no queue", clEnqueueWaitForEvents, nullptr, 1, &gate);
    CALL("no queue", clEnqueueMarkerWithWaitList, nullptr, 0, nullptr, nullptr);
    CALL("no queue", clEnqueueBarrierWithWaitList, nullptr, 0, nullptr, nullptr);
    CALL("no event asked", clEnqueueMarkerWithWaitList, queue, 0, nullptr, nullptr);
    CALL("no event asked", clEnqueueBarrierWithWaitList, queue, 0, nullptr, nullptr);
    CALL("all", clFinish, queue);
    CALL("gate", clReleaseEvent, gate);
}

// A chain over two queues, kept until its end: the application may hold events as long as it likes.
void long_chain(const Context& context, cl_command_queue queue)
{
    cl_command_queue other = context.queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem memory = context.buffer(64);
    std::vector<cl_event> chain;
    cl_event gate = clCreateUserEvent(context, nullptr);
    for (cl_uint i = 0; i < 40; ++i) {
        cl_event event = nullptr;
        const cl_event before = chain.empty() ? gate : chain.back();
        const cl_int result =
            clEnqueueFillBuffer(i % 2 ? queue : other, memory, &i, 4, 0, 64, 1, &before, &event);
        if (result != CL_SUCCESS)
            line("link %u: %d", i, result);
        chain.push_back(event);
    }
    clFlush(queue);
    clFlush(other);
    CALL("the gate", clSetUserEventStatus, gate, CL_COMPLETE);
    CALL("for the chain", clWaitForEvents, (cl_uint)chain.size(), chain.data());
    for (cl_event event : chain)
        finish(event, "link");
    CALL("gate", clReleaseEvent, gate);
    cl_uint value = 0;
    CALL("the last link's", clEnqueueReadBuffer, queue, memory, CL_TRUE, 0, 4, &value, 0, nullptr,
         nullptr);
    line("%u", value);
    CALL("other", clReleaseCommandQueue, other);
    CALL("last", clReleaseMemObject, memory);
}

void bad_arguments()
{
    cl_event none = nullptr;
    CALL("none", clWaitForEvents, 0, nullptr);
    CALL("no event", clWaitForEvents, 1, &none);
    CALL("no event", clRetainEvent, nullptr);
    CALL("no event", clReleaseEvent, nullptr);
    CALL("no event", clGetEventInfo, nullptr, CL_EVENT_CONTEXT, 0, nullptr, nullptr);
    CALL("no event", clGetEventProfilingInfo, nullptr, CL_PROFILING_COMMAND_END, 0, nullptr,
         nullptr);
    CALL("no event", clSetEventCallback, nullptr, CL_COMPLETE, nullptr, nullptr);
}

} // namespace

void events(const Device& device)
{
    const Context context(device);
    user_events(context);
    for (cl_command_queue_properties properties :
         {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE}) {
        line("queue of properties %llx", (unsigned long long)properties);
        cl_command_queue queue = context.queue(properties);
        waiting_commands(context, queue);
        of_old(context, queue);
        long_chain(context, queue);
        REFERENCES_LEFT("the queue", clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
        CALL("last", clReleaseCommandQueue, queue);
        cl_command_queue failing = context.queue(properties);
        failing_gate(context, failing);
        CALL("last", clReleaseCommandQueue, failing);
    }
    bad_arguments();
}

} // namespace conformance
