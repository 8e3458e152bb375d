// SPDX-License-Identifier: MIT
//
// no_memory [FIRST LAST]: uses everything of which the layer keeps something, and prints what
// OpenCL says of it. The layer's allocations numbered FIRST to LAST fail. On its error output: how
// many the layer made, and how many commands were enqueued.
#include "layer_memory.hpp"
#include "work.hpp"

#include <CL/cl_ext.h>

#include <string>
#include <unistd.h>

namespace {

int commands = 0;

// PoCL's worker gives its reference back some time after the command is complete.
void wait_for_last_reference(cl_event event)
{
    cl_uint references = 0;
    for (int i = 0; i < 20'000 && references != 1; ++i) {
        require(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references,
                               nullptr),
                "clGetEventInfo");
        usleep(references == 1 ? 0 : 1000);
    }
}

void say_references(const char* what, cl_event event)
{
    cl_uint references = 0;
    require(
        clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, nullptr),
        "clGetEventInfo");
    std::printf("%s has %u references\n", what, references);
}

void say_queue(cl_command_queue queue)
{
    cl_command_queue_properties properties = 0;
    cl_queue_properties array[8] = {};
    cl_uint references = 0;
    size_t bytes = 0;
    require(
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
        "clGetCommandQueueInfo");
    require(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof array, array, &bytes),
            "clGetCommandQueueInfo");
    require(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references,
                                  nullptr),
            "clGetCommandQueueInfo");
    std::printf("queue: properties %lu, %zu bytes: %lu %lu, %u references\n",
                static_cast<unsigned long>(properties), bytes, static_cast<unsigned long>(array[0]),
                static_cast<unsigned long>(array[1]), references);
}

void say_times(cl_event event)
{
    cl_ulong time = 0;
    std::printf("times: %d\n", clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time,
                                                       &time, nullptr));
}

// With a wait list that is too long for the layer's stack, and an event that is not complete.
void use_queue(const Setup& setup, cl_command_queue queue)
{
    say_queue(queue);
    Work work(setup);
    work.run(queue, 1);
    cl_int error = 0;
    cl_event gate = clCreateUserEvent(setup.context, &error);
    require(error, "clCreateUserEvent");
    const std::vector<cl_event> waits(40, gate);
    cl_event event = nullptr;
    require(clEnqueueMarkerWithWaitList(queue, 40, waits.data(), &event), "a long wait list");
    require(clFlush(queue), "clFlush");
    say_references("an open event", event);
    require(clRetainEvent(event), "clRetainEvent");
    say_references("retained", event);
    require(clReleaseEvent(event), "clReleaseEvent");
    require(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    for (int i = 0; i < 100; ++i)
        work.launch(queue);
    require(clFinish(queue), "clFinish");
    say_times(event);
    wait_for_last_reference(event);
    say_references("complete", event);
    require(clReleaseEvent(event), "clReleaseEvent");
    require(clReleaseEvent(gate), "clReleaseEvent");
    commands += 5 + 1 + 100;
}

template <class Function> Function find(const Setup& setup, const char* name)
{
    return reinterpret_cast<Function>(
        clGetExtensionFunctionAddressForPlatform(setup.platform, name));
}
#define FIND(name) const auto name##_ = find<name##_fn>(setup, #name)

void use_command_buffer(const Setup& setup, cl_command_queue queue)
{
    FIND(clCreateCommandBufferKHR);
    FIND(clCommandBarrierWithWaitListKHR);
    FIND(clFinalizeCommandBufferKHR);
    FIND(clEnqueueCommandBufferKHR);
    FIND(clReleaseCommandBufferKHR);
    if (!clCreateCommandBufferKHR_)
        return;
    cl_int error = 0;
    cl_command_buffer_khr buffer = clCreateCommandBufferKHR_(1, &queue, nullptr, &error);
    require(error, "clCreateCommandBufferKHR");
    require(clCommandBarrierWithWaitListKHR_(buffer, nullptr, 0, nullptr, nullptr, nullptr),
            "clCommandBarrierWithWaitListKHR");
    require(clFinalizeCommandBufferKHR_(buffer), "clFinalizeCommandBufferKHR");
    require(clEnqueueCommandBufferKHR_(0, nullptr, buffer, 0, nullptr, nullptr),
            "clEnqueueCommandBufferKHR");
    require(clFinish(queue), "clFinish");
    require(clReleaseCommandBufferKHR_(buffer), "clReleaseCommandBufferKHR");
}

// Linked, so that the layer asks for the size of its binary. (PoCL makes files of kernels' names.)
void use_long_name(const Setup& setup, cl_command_queue queue)
{
    const std::string name(100, 'n');
    const std::string text = "kernel void " + name + "(void) { }\n";
    const char* source = text.c_str();
    cl_int error = 0;
    cl_program program = clCreateProgramWithSource(setup.context, 1, &source, nullptr, &error);
    require(error, "clCreateProgramWithSource");
    require(clCompileProgram(program, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            "clCompileProgram");
    cl_program linked =
        clLinkProgram(setup.context, 0, nullptr, "", 1, &program, nullptr, nullptr, &error);
    require(error, "clLinkProgram");
    cl_kernel kernel = clCreateKernel(linked, name.c_str(), &error);
    require(error, "clCreateKernel");
    const size_t size = 1;
    require(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, 0, nullptr, nullptr),
            "clEnqueueNDRangeKernel");
    require(clFinish(queue), "clFinish");
    ++commands;
    require(clReleaseKernel(kernel), "clReleaseKernel");
    require(clReleaseProgram(linked), "clReleaseProgram");
    require(clReleaseProgram(program), "clReleaseProgram");
}

} // namespace

int main(int count, char** words)
{
    layer_memory::first_refused = count > 2 ? std::atol(words[1]) : 0;
    layer_memory::last_refused = count > 2 ? std::atol(words[2]) : 0;
    layer_memory::find_layer(); // preloaded
    cl_uint platforms = 0;
    clGetPlatformIDs(0, nullptr, &platforms);
    layer_memory::find_layer(); // of the loader
    Setup setup;
    for (cl_command_queue_properties properties :
         {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
        cl_command_queue queue = setup.queue(properties);
        use_queue(setup, queue);
        use_long_name(setup, queue);
        if (!properties)
            use_command_buffer(setup, queue);
        require(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    }
    setup.release();
    std::fprintf(stderr, "%ld allocations, %d commands, process %d\n", layer_memory::asked.load(),
                 commands, getpid());
}
