// SPDX-License-Identifier: MIT
//
// A device, a context and a kernel, and a unit of work whose result is known: what the test
// programs beside this file do. Every failure ends the program with code 2 and says where.
#pragma once

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

inline void require(cl_int result, const char* words)
{
    if (result == CL_SUCCESS)
        return;
    std::printf("%s failed with %d\n", words, result);
    std::fflush(stdout);
    std::_Exit(2);
}

struct Setup {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_program program = nullptr;

    Setup()
    {
        require(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
        require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr),
                "clGetDeviceIDs");
        cl_int error = 0;
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
        require(error, "clCreateContext");
        const char* source = "kernel void add(global int* values, int by)\n"
                             "{ values[get_global_id(0)] += by; }\n";
        program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
        require(error, "clCreateProgramWithSource");
        require(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    }
    void release()
    {
        require(clReleaseProgram(program), "clReleaseProgram");
        require(clReleaseContext(context), "clReleaseContext");
    }
    cl_command_queue queue(cl_command_queue_properties properties = 0) const
    {
        cl_int error = 0;
        const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
        cl_command_queue made = clCreateCommandQueueWithProperties(context, device, list, &error);
        require(error, "clCreateCommandQueueWithProperties");
        return made;
    }
};

// A buffer and a kernel of its own, for one thread.
class Work {
public:
    static constexpr size_t count = 64;

    explicit Work(const Setup& setup)
    {
        cl_int error = 0;
        m_memory = clCreateBuffer(setup.context, CL_MEM_READ_WRITE, count * sizeof(cl_int), nullptr,
                                  &error);
        require(error, "clCreateBuffer");
        m_kernel = clCreateKernel(setup.program, "add", &error);
        require(error, "clCreateKernel");
        require(clSetKernelArg(m_kernel, 0, sizeof m_memory, &m_memory), "clSetKernelArg");
    }
    ~Work()
    {
        clReleaseKernel(m_kernel);
        clReleaseMemObject(m_memory);
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    // Five commands, each after the one before it. Their events are kept while the last one runs.
    void run(cl_command_queue queue, cl_int seed)
    {
        cl_event events[4] = {};
        require(clEnqueueFillBuffer(queue, m_memory, &seed, sizeof seed, 0, count * sizeof seed, 0,
                                    nullptr, &events[0]),
                "clEnqueueFillBuffer");
        const cl_int by = 5;
        const size_t size = count;
        require(clSetKernelArg(m_kernel, 1, sizeof by, &by), "clSetKernelArg");
        for (int i = 1; i < 3; ++i)
            require(clEnqueueNDRangeKernel(queue, m_kernel, 1, nullptr, &size, nullptr, 1,
                                           &events[i - 1], &events[i]),
                    "clEnqueueNDRangeKernel");
        require(clEnqueueMarkerWithWaitList(queue, 1, &events[2], &events[3]),
                "clEnqueueMarkerWithWaitList");
        std::vector<cl_int> result(count);
        require(clEnqueueReadBuffer(queue, m_memory, CL_TRUE, 0, count * sizeof seed, result.data(),
                                    1, &events[3], nullptr),
                "clEnqueueReadBuffer");
        for (cl_event event : events)
            require(clReleaseEvent(event), "clReleaseEvent");
        for (cl_int value : result)
            require(value == seed + 10 ? CL_SUCCESS : value, "the result");
    }

    // One command, no event.
    void launch(cl_command_queue queue, cl_event* event = nullptr)
    {
        require(try_launch(queue, event), "clSetKernelArg and clEnqueueNDRangeKernel");
    }
    cl_int try_launch(cl_command_queue queue, cl_event* event = nullptr)
    {
        const cl_int by = 1;
        const cl_int result = clSetKernelArg(m_kernel, 1, sizeof by, &by);
        return result != CL_SUCCESS ? result : launch_again(queue, event);
    }
    // With the arguments of the launch before.
    cl_int launch_again(cl_command_queue queue, cl_event* event = nullptr)
    {
        return launch_after(queue, 0, nullptr, event);
    }
    cl_int launch_after(cl_command_queue queue, cl_uint waits_count, const cl_event* waits,
                        cl_event* event)
    {
        const size_t size = count;
        return clEnqueueNDRangeKernel(queue, m_kernel, 1, nullptr, &size, nullptr, waits_count,
                                      waits, event);
    }

private:
    cl_mem m_memory = nullptr;
    cl_kernel m_kernel = nullptr;
};
