// SPDX-License-Identifier: MIT
//
// Callbacks of events and of memory: how often, in which order, with what they are given, and what
// they may call.
#include "event_facts.hpp"
#include "sections.hpp"

#include <mutex>
#include <string>

namespace conformance {

namespace {

// What the callbacks of one event saw.
struct Seen {
    Count calls;
    std::mutex lock;
    std::string order;
    cl_event event = nullptr;
    bool is_same_event = true;
    int bad_status = 0;
};

void CL_CALLBACK event_told(cl_event event, cl_int event_status, void* data)
{
    auto& seen = *static_cast<Seen*>(data);
    {
        std::lock_guard guard(seen.lock);
        seen.is_same_event = seen.is_same_event && event == seen.event;
        seen.order += event_status == CL_SUBMITTED  ? 's'
                      : event_status == CL_RUNNING  ? 'r'
                      : event_status == CL_COMPLETE ? 'c'
                                                    : 'e';
        if (event_status < 0)
            seen.bad_status = event_status;
    }
    seen.calls.add();
}

void all_states(const Context& context, cl_command_queue queue)
{
    cl_event gate = clCreateUserEvent(context, nullptr);
    Seen seen;
    cl_mem memory = context.buffer(64);
    const cl_uint value = 1;
    CALL("behind the gate", clEnqueueFillBuffer, queue, memory, &value, 4, 0, 64, 1, &gate,
         &seen.event);
    // Driver and device decide when a state is passed, so each is asked for before the gate opens.
    CALL("complete", clSetEventCallback, seen.event, CL_COMPLETE, event_told, &seen);
    CALL("running", clSetEventCallback, seen.event, CL_RUNNING, event_told, &seen);
    CALL("submitted", clSetEventCallback, seen.event, CL_SUBMITTED, event_told, &seen);
    CALL("complete, again", clSetEventCallback, seen.event, CL_COMPLETE, event_told, &seen);
    CALL("queued is none", clSetEventCallback, seen.event, CL_QUEUED, event_told, &seen);
    CALL("no function", clSetEventCallback, seen.event, CL_COMPLETE, nullptr, &seen);
    INFO(cl_uint, "references", clGetEventInfo, seen.event, CL_EVENT_REFERENCE_COUNT);
    clFlush(queue);
    clSetUserEventStatus(gate, CL_COMPLETE);
    CALL("for it", clWaitForEvents, 1, &seen.event);
    line("%d calls, %s, of %s event", seen.calls.settled(4), seen.order.c_str(),
         seen.is_same_event ? "the same" : "another");
    CALL("too late", clSetEventCallback, seen.event, CL_COMPLETE, event_told, &seen);
    line("%d calls", seen.calls.settled(5));
    finish(seen.event, "fill");
    CALL("last", clReleaseEvent, gate);
    CALL("last", clReleaseMemObject, memory);
}

void failing(const Context& context)
{
    cl_command_queue queue = context.queue();
    cl_event gate = clCreateUserEvent(context, nullptr);
    Seen of_gate, of_marker;
    of_gate.event = gate;
    CALL("behind the gate", clEnqueueMarkerWithWaitList, queue, 1, &gate, &of_marker.event);
    CALL("of the gate", clSetEventCallback, gate, CL_COMPLETE, event_told, &of_gate);
    CALL("of the marker", clSetEventCallback, of_marker.event, CL_COMPLETE, event_told, &of_marker);
    CALL("fails", clSetUserEventStatus, gate, -9);
    line("gate: %d calls, %s, status %d", of_gate.calls.after_a_while(), of_gate.order.c_str(),
         of_gate.bad_status);
    line("marker: %d calls, %s, status %d", of_marker.calls.after_a_while(),
         of_marker.order.c_str(), of_marker.bad_status);
    CALL("marker", clReleaseEvent, of_marker.event);
    CALL("gate", clReleaseEvent, gate);
    CALL("last", clReleaseCommandQueue, queue);
}

struct Follower {
    Count done;
    cl_command_queue queue = nullptr;
    cl_mem memory = nullptr;
    std::atomic<cl_event> next{nullptr};
};

// A callback may enqueue, ask and release.
void CL_CALLBACK follow(cl_event event, cl_int, void* data)
{
    auto& follower = *static_cast<Follower*>(data);
    const cl_uint value = 2;
    cl_event next = nullptr;
    cl_command_type type = 0;
    clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
    clEnqueueFillBuffer(follower.queue, follower.memory, &value, 4, 0, 64, 0, nullptr, &next);
    clFlush(follower.queue);
    clReleaseEvent(event);
    follower.next = next;
    follower.done.add();
}

void calls_inside(const Context& context)
{
    Follower follower;
    follower.queue = context.queue();
    follower.memory = context.buffer(64);
    const cl_uint value = 1;
    cl_event first = nullptr;
    CALL("first", clEnqueueFillBuffer, follower.queue, follower.memory, &value, 4, 0, 64, 0,
         nullptr, &first);
    CALL("that enqueues", clSetEventCallback, first, CL_COMPLETE, follow, &follower);
    clFlush(follower.queue);
    line("%d calls", follower.done.settled(1));
    finish(follower.next, "enqueued in a callback");
    cl_uint result = 0;
    CALL("the second's", clEnqueueReadBuffer, follower.queue, follower.memory, CL_TRUE, 0, 4,
         &result, 0, nullptr, nullptr);
    line("%u", result);
    CALL("last", clReleaseCommandQueue, follower.queue);
    CALL("last", clReleaseMemObject, follower.memory);
}

struct Ends {
    Count calls;
    std::string order;
};

template <char letter> void CL_CALLBACK memory_ended(cl_mem, void* data)
{
    auto& ends = *static_cast<Ends*>(data);
    ends.order += letter;
    ends.calls.add();
}

// Called in reverse order of registration, when the last reference is gone: not later because
// somebody watches.
void memory_ends(const Context& context, cl_command_queue queue)
{
    cl_mem memory = context.buffer(64);
    Ends ends;
    CALL("first", clSetMemObjectDestructorCallback, memory, memory_ended<'1'>, &ends);
    CALL("second", clSetMemObjectDestructorCallback, memory, memory_ended<'2'>, &ends);
    CALL("no function", clSetMemObjectDestructorCallback, memory, nullptr, nullptr);
    CALL("no memory", clSetMemObjectDestructorCallback, nullptr, memory_ended<'1'>, &ends);
    const cl_uint value = 1;
    cl_event event = nullptr;
    CALL("all", clEnqueueFillBuffer, queue, memory, &value, 4, 0, 64, 0, nullptr, &event);
    CALL("all", clFinish, queue);
    CALL("last", clReleaseMemObject, memory);
    line("%d ends, %s, while the event is held", ends.calls.settled(2), ends.order.c_str());
    finish(event, "fill");
}

} // namespace

void callbacks(const Device& device)
{
    const Context context(device);
    for (cl_command_queue_properties properties :
         {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        line("queue of properties %llx", (unsigned long long)properties);
        cl_command_queue queue = context.queue(properties);
        all_states(context, queue);
        memory_ends(context, queue);
        CALL("last", clReleaseCommandQueue, queue);
    }
    failing(context);
    calls_inside(context);
}

} // namespace conformance
