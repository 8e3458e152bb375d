// SPDX-License-Identifier: MIT
//
// opencl_rounds ROUNDS [other]: in each round a write, two kernels on an out-of-order
// queue and a blocking read; `other` makes every second kernel another one. Says on
// standard output how many commands there were. A program to be recorded.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::size_t numbers = 4096;
constexpr const char* source =
    "kernel void scale(global float* a) { a[get_global_id(0)] *= 1.5f; }\n"
    "kernel void shift(global float* a) { a[get_global_id(0)] += 2.0f; }\n"
    "kernel void invert(global float* a) { a[get_global_id(0)] = -a[get_global_id(0)]; }\n";

void check(cl_int result, const char* what)
{
    if (result != CL_SUCCESS) {
        std::fprintf(stderr, "%s: %d\n", what, result);
        std::exit(1);
    }
}

struct Machine {
    cl_device_id device = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_program program = nullptr;
    cl_mem buffer = nullptr;
};

Machine set_up()
{
    Machine machine;
    cl_platform_id platform = nullptr;
    cl_int result = CL_SUCCESS;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &machine.device, nullptr),
          "clGetDeviceIDs");
    machine.context = clCreateContext(nullptr, 1, &machine.device, nullptr, nullptr, &result);
    check(result, "clCreateContext");
    const std::array<cl_queue_properties, 3> properties{CL_QUEUE_PROPERTIES,
                                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    machine.queue = clCreateCommandQueueWithProperties(machine.context, machine.device,
                                                       properties.data(), &result);
    check(result, "clCreateCommandQueueWithProperties");
    const char* text = source;
    machine.program = clCreateProgramWithSource(machine.context, 1, &text, nullptr, &result);
    check(result, "clCreateProgramWithSource");
    check(clBuildProgram(machine.program, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
    machine.buffer = clCreateBuffer(machine.context, CL_MEM_READ_WRITE, numbers * sizeof(float),
                                    nullptr, &result);
    check(result, "clCreateBuffer");
    return machine;
}

cl_kernel make_kernel(const Machine& machine, const char* name)
{
    cl_int result = CL_SUCCESS;
    cl_kernel kernel = clCreateKernel(machine.program, name, &result);
    check(result, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof machine.buffer, &machine.buffer), "clSetKernelArg");
    return kernel;
}

cl_event run(const Machine& machine, cl_kernel kernel, cl_event after)
{
    const std::size_t size = numbers;
    cl_event done = nullptr;
    check(
        clEnqueueNDRangeKernel(machine.queue, kernel, 1, nullptr, &size, nullptr, 1, &after, &done),
        "clEnqueueNDRangeKernel");
    clReleaseEvent(after);
    return done;
}

} // namespace

int main(int argc, char** argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 10;
    const bool is_other = argc > 2 && std::strcmp(argv[2], "other") == 0;
    const Machine machine = set_up();
    const cl_kernel first = make_kernel(machine, "scale");
    const cl_kernel second = make_kernel(machine, is_other ? "invert" : "shift");
    std::array<float, numbers> values{};
    for (int round = 0; round < rounds; ++round) {
        cl_event done = nullptr;
        check(clEnqueueWriteBuffer(machine.queue, machine.buffer, CL_FALSE, 0, sizeof values,
                                   values.data(), 0, nullptr, &done),
              "clEnqueueWriteBuffer");
        done = run(machine, first, done);
        done = run(machine, second, done);
        check(clEnqueueReadBuffer(machine.queue, machine.buffer, CL_TRUE, 0, sizeof values,
                                  values.data(), 1, &done, nullptr),
              "clEnqueueReadBuffer");
        clReleaseEvent(done);
    }
    clFinish(machine.queue);
    clReleaseKernel(first);
    clReleaseKernel(second);
    clReleaseMemObject(machine.buffer);
    clReleaseProgram(machine.program);
    clReleaseCommandQueue(machine.queue);
    clReleaseContext(machine.context);
    std::printf("%d\n", 4 * rounds);
    return 0;
}
