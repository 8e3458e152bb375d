// SPDX-License-Identifier: MIT
//
// Leaves everything as it is for a driver that ends by itself (driver/ending_driver.cpp): commands
// that are complete, one that never will be, a queue that was released with such a one, and a
// callback that the driver calls while the program exits.
#include "work.hpp"

namespace {

void CL_CALLBACK say(cl_event event, cl_int status, void*)
{
    cl_uint references = 0;
    require(
        clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, nullptr),
        "clGetEventInfo in a callback");
    // The layer may hold one more while it reads the event's times.
    std::printf("called back at exit: status %d, referenced: %d\n", status, references > 0);
}

} // namespace

int main()
{
    auto& setup = *new Setup;
    auto& work = *new Work(setup);
    cl_command_queue queue = setup.queue();
    cl_command_queue released = setup.queue();
    work.run(queue, 1);
    cl_event event = nullptr;
    for (int i = 0; i < 10; ++i)
        work.launch(queue, i == 9 ? &event : nullptr);
    require(clFinish(queue), "clFinish");
    for (int i = 0; i < 10; ++i)
        work.launch(queue);
    require(clSetEventCallback(event, CL_COMPLETE, say, nullptr), "clSetEventCallback");
    cl_int error = 0;
    cl_event gate = clCreateUserEvent(setup.context, &error);
    require(error, "clCreateUserEvent");
    require(work.launch_after(released, 1, &gate, nullptr), "clEnqueueNDRangeKernel");
    require(clReleaseCommandQueue(released), "clReleaseCommandQueue");
    require(work.launch_after(queue, 1, &gate, nullptr), "clEnqueueNDRangeKernel");
    require(clFlush(queue), "clFlush");
    std::printf("main returns\n");
    return 23;
}
