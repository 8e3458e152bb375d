// SPDX-License-Identifier: MIT
//
// Device times as the application is promised them: on queues that it made to profile, and on no
// others.
#include "event_facts.hpp"
#include "sections.hpp"

#include <vector>

namespace conformance {

namespace {

// Which of the commands of one queue have times, asked in several ways.
void of_queue(const Context& context, cl_command_queue queue, cl_kernel kernel)
{
    cl_mem memory = context.buffer(64);
    clSetKernelArg(kernel, 0, sizeof memory, &memory);
    const size_t size[] = {16};
    std::vector<cl_uint> content(16, 3);
    cl_event events[5] = {};
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, size, nullptr, 0, nullptr, &events[0]);
    clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 64, content.data(), 0, nullptr, &events[1]);
    clEnqueueMarkerWithWaitList(queue, 0, nullptr, &events[2]);
    clEnqueueFillBuffer(queue, memory, content.data(), 4, 0, 64, 0, nullptr, &events[3]);
    clEnqueueBarrierWithWaitList(queue, 0, nullptr, &events[4]);
    CALL("all", clFinish, queue);
    const char* names[] = {"kernel", "write", "marker", "fill", "barrier"};
    for (int i = 0; i < 5; ++i)
        finish(events[i], names[i]);
    cl_event event = nullptr;
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, size, nullptr, 0, nullptr, &event);
    clWaitForEvents(1, &event);
    cl_ulong value = 777;
    size_t returned = 777;
    CALL("size only", clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END, 0, nullptr,
         &returned);
    line("%zu bytes", returned);
    returned = 777;
    CALL("no room", clGetEventProfilingInfo, event, CL_PROFILING_COMMAND_END, 4, &value, &returned);
    line("%zu bytes", returned);
    CALL("no such name", clGetEventProfilingInfo, event, 0xdead, sizeof value, &value, nullptr);
    line("%s", value == 777 ? "untouched" : "written");
    CALL("last", clReleaseEvent, event);
    CALL("last", clReleaseMemObject, memory);
}

} // namespace

void profiling(const Device& device)
{
    const Context context(device);
    cl_program program = context.program("kernel void set(global int* v) { *v = 1; }\n");
    cl_kernel kernel = MAKE("set", clCreateKernel, program, "set");
    for (cl_command_queue_properties properties :
         {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE}) {
        line("listed queue of properties %llx", (unsigned long long)properties);
        cl_command_queue queue = context.queue(properties);
        of_queue(context, queue, kernel);
        CALL("last", clReleaseCommandQueue, queue);
        line("old queue of properties %llx", (unsigned long long)properties);
        queue = MAKE("as of old", clCreateCommandQueue, context, device.device, properties);
        of_queue(context, queue, kernel);
        CALL("last", clReleaseCommandQueue, queue);
    }
    line("queue without a list");
    cl_command_queue queue =
        MAKE("no list", clCreateCommandQueueWithProperties, context, device.device, nullptr);
    of_queue(context, queue, kernel);
    CALL("last", clReleaseCommandQueue, queue);
    CALL("last", clReleaseKernel, kernel);
    CALL("last", clReleaseProgram, program);
}

} // namespace conformance
