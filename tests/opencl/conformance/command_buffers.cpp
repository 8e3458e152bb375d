// SPDX-License-Identifier: MIT
//
// cl_khr_command_buffer, found as programs find extensions: by
// clGetExtensionFunctionAddressForPlatform.
#include "event_facts.hpp"
#include "sections.hpp"

#include <CL/cl_ext.h>

#include <vector>

namespace conformance {

namespace {

template <class Function> Function find(const Device& device, const char* name)
{
    called("clGetExtensionFunctionAddressForPlatform");
    void* found = clGetExtensionFunctionAddressForPlatform(device.platform, name);
    line("%s: %s", name, found ? "there" : "not there");
    return reinterpret_cast<Function>(found);
}

#define FIND(device, function) find<function##_fn>(device, #function)

struct Functions {
    explicit Functions(const Device& device)
        : create(FIND(device, clCreateCommandBufferKHR)),
          finalize(FIND(device, clFinalizeCommandBufferKHR)),
          retain(FIND(device, clRetainCommandBufferKHR)),
          release(FIND(device, clReleaseCommandBufferKHR)),
          enqueue(FIND(device, clEnqueueCommandBufferKHR)),
          information(FIND(device, clGetCommandBufferInfoKHR)),
          copy(FIND(device, clCommandCopyBufferKHR)), fill(FIND(device, clCommandFillBufferKHR)),
          barrier(FIND(device, clCommandBarrierWithWaitListKHR)),
          kernel(FIND(device, clCommandNDRangeKernelKHR))
    {
    }
    bool are_there() const
    {
        return create && finalize && retain && release && enqueue && information && copy && fill &&
               barrier && kernel;
    }

    clCreateCommandBufferKHR_fn create;
    clFinalizeCommandBufferKHR_fn finalize;
    clRetainCommandBufferKHR_fn retain;
    clReleaseCommandBufferKHR_fn release;
    clEnqueueCommandBufferKHR_fn enqueue;
    clGetCommandBufferInfoKHR_fn information;
    clCommandCopyBufferKHR_fn copy;
    clCommandFillBufferKHR_fn fill;
    clCommandBarrierWithWaitListKHR_fn barrier;
    clCommandNDRangeKernelKHR_fn kernel;
};

// Fill, kernel, barrier and copy, recorded once and run three times.
void record_and_run(const Context& context, const Functions& go, cl_command_queue queue,
                    cl_kernel kernel)
{
    cl_mem first = context.buffer(256), second = context.buffer(256);
    clSetKernelArg(kernel, 0, sizeof first, &first);
    cl_command_buffer_khr buffer = MAKE("of one queue", go.create, 1, &queue, nullptr);
    if (!buffer)
        return;
    const cl_uint value = 5;
    const size_t size[] = {64};
    cl_sync_point_khr filled = 0, ran = 0, fenced = 0;
    CALL("first", go.fill, buffer, nullptr, first, &value, 4, 0, 256, 0, nullptr, &filled, nullptr);
    CALL("after it", go.kernel, buffer, nullptr, nullptr, kernel, 1, nullptr, size, nullptr, 1,
         &filled, &ran, nullptr);
    CALL("after it", go.barrier, buffer, nullptr, 1, &ran, &fenced, nullptr);
    CALL("after it", go.copy, buffer, nullptr, first, second, 0, 0, 256, 1, &fenced, nullptr,
         nullptr);
    CALL("too early", go.enqueue, 0, nullptr, buffer, 0, nullptr, nullptr);
    CALL("recorded", go.finalize, buffer);
    CALL("recorded already", go.finalize, buffer);
    INFO(cl_uint, "state", go.information, buffer, CL_COMMAND_BUFFER_STATE_KHR);
    INFO(cl_uint, "references", go.information, buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR);
    CALL("once more", go.retain, buffer);
    CALL("back", go.release, buffer);
    for (int i = 0; i < 3; ++i) {
        cl_event event = nullptr;
        CALL("a run", go.enqueue, 0, nullptr, buffer, 0, nullptr, &event);
        finish(event, "a run");
    }
    std::vector<cl_uint> result(64);
    CALL("all", clEnqueueReadBuffer, queue, second, CL_TRUE, 0, 256, result.data(), 0, nullptr,
         nullptr);
    line("%s", digest(result).c_str());
    CALL("last", go.release, buffer);
    CALL("no buffer", go.finalize, nullptr);
    CALL("no buffer", go.release, nullptr);
    CALL("no buffer", go.enqueue, 0, nullptr, nullptr, 0, nullptr, nullptr);
    CALL("last", clReleaseMemObject, first);
    CALL("last", clReleaseMemObject, second);
}

} // namespace

void command_buffers(const Device& device)
{
    const Functions functions(device);
    if (!functions.are_there())
        return;
    const Context context(device);
    cl_program program =
        context.program("kernel void twice(global int* v) { v[get_global_id(0)] *= 2; }\n");
    cl_kernel kernel = MAKE("twice", clCreateKernel, program, "twice");
    for (cl_command_queue_properties properties : {0, CL_QUEUE_PROFILING_ENABLE}) {
        line("queue of properties %llx", (unsigned long long)properties);
        cl_command_queue queue = context.queue(properties);
        record_and_run(context, functions, queue, kernel);
        REFERENCES_LEFT("the queue", clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
        CALL("last", clReleaseCommandQueue, queue);
    }
    CALL("last", clReleaseKernel, kernel);
    CALL("last", clReleaseProgram, program);
}

} // namespace conformance
