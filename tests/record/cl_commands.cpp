// SPDX-License-Identifier: MIT
//
// cl-commands COUNT [LATE_MS]: enqueues COUNT small kernels on one queue and waits for each. With
// LATE_MS one more command in the middle waits so long for a user event before the driver may
// submit it. Then goes on for half a second, so that whoever watches has time to see it while the
// program runs. With CL_COMMANDS_CLOSES set it closes all descriptors above 2 in the middle, as
// daemons do.
#define CL_TARGET_OPENCL_VERSION 120

#include <CL/cl.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace {

constexpr const char* source = "kernel void scale(global float* x) { x[get_global_id(0)] *= 2; }";

void require(cl_int result, const char* what)
{
    if (result != CL_SUCCESS) {
        std::fprintf(stderr, "cl-commands: %s: %d\n", what, result);
        std::exit(1);
    }
}

struct Work {
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_kernel kernel = nullptr;

    Work()
    {
        cl_platform_id platform = nullptr;
        cl_device_id device = nullptr;
        cl_int result = clGetPlatformIDs(1, &platform, nullptr);
        require(result, "clGetPlatformIDs");
        require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr),
                "clGetDeviceIDs");
        context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result);
        require(result, "clCreateContext");
        queue = clCreateCommandQueue(context, device, 0, &result);
        require(result, "clCreateCommandQueue");
        const char* text = source;
        cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &result);
        require(result, "clCreateProgramWithSource");
        require(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
        kernel = clCreateKernel(program, "scale", &result);
        require(result, "clCreateKernel");
        cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &result);
        require(result, "clCreateBuffer");
        require(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    }

    void run(cl_uint waits = 0, const cl_event* waits_for = nullptr) const
    {
        const std::size_t size = 1024;
        require(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &size, nullptr, waits, waits_for,
                                       nullptr),
                "clEnqueueNDRangeKernel");
    }
};

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: cl-commands COUNT [LATE_MS]\n");
        return 2;
    }
    const long count = std::atol(argv[1]);
    const Work work;
    for (long number = 0; number < count; ++number) {
        if (argc > 2 && number == count / 2) {
            cl_int result = CL_SUCCESS;
            cl_event gate = clCreateUserEvent(work.context, &result);
            require(result, "clCreateUserEvent");
            work.run(1, &gate);
            std::this_thread::sleep_for(std::chrono::milliseconds{std::atol(argv[2])});
            require(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
        }
        if (std::getenv("CL_COMMANDS_CLOSES") != nullptr && number == count / 2) {
            for (int descriptor = 3; descriptor < 1024; ++descriptor) {
                close(descriptor);
            }
        }
        work.run();
        require(clFinish(work.queue), "clFinish");
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    if (argc > 2) {
        std::this_thread::sleep_for(std::chrono::milliseconds{500});
    }
    std::printf("%ld commands\n", count + (argc > 2 ? 1 : 0));
    return 0;
}
