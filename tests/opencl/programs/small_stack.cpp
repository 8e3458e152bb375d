// SPDX-License-Identifier: MIT
//
// small_stack BYTES EVENTS: a thread with a stack of so many bytes enqueues commands that wait for
// so many events, and waits for all of them.
#include "work.hpp"

#include <pthread.h>

namespace {

struct Task {
    const Setup& setup;
    cl_uint events;
};

// Commands that are complete: a driver takes any number of them.
std::vector<cl_event> complete_events(const Setup& setup, cl_uint count)
{
    std::vector<cl_event> events(count);
    for (cl_event& event : events) {
        cl_int error = 0;
        event = clCreateUserEvent(setup.context, &error);
        require(error, "clCreateUserEvent");
        require(clSetUserEventStatus(event, CL_COMPLETE), "clSetUserEventStatus");
    }
    return events;
}

void enqueue(const Task& task)
{
    cl_command_queue queue = task.setup.queue();
    const std::vector<cl_event> events = complete_events(task.setup, task.events);
    {
        Work work(task.setup);
        work.run(queue, 3);
        cl_event last = nullptr;
        require(clEnqueueMarkerWithWaitList(queue, task.events, events.data(), nullptr),
                "clEnqueueMarkerWithWaitList");
        require(work.launch_after(queue, task.events, events.data(), &last),
                "clEnqueueNDRangeKernel");
        require(clWaitForEvents(task.events, events.data()), "clWaitForEvents");
        require(clWaitForEvents(1, &last), "clWaitForEvents");
        require(clReleaseEvent(last), "clReleaseEvent");
    }
    for (cl_event event : events)
        require(clReleaseEvent(event), "clReleaseEvent");
    require(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

void* run(void* task)
{
    enqueue(*static_cast<const Task*>(task));
    return nullptr;
}

} // namespace

int main(int count, char** words)
{
    if (count != 3)
        return 1;
    const Setup setup;
    Task task{setup, static_cast<cl_uint>(std::atoi(words[2]))};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    require(pthread_attr_setstacksize(&attributes, static_cast<size_t>(std::atol(words[1]))),
            "pthread_attr_setstacksize");
    pthread_t thread{};
    require(pthread_create(&thread, &attributes, run, &task), "pthread_create");
    pthread_join(thread, nullptr);
    std::printf("enqueued behind %u events\n", task.events);
}
