// SPDX-License-Identifier: MIT
// gputest-cl: an OpenCL program for the test GPU driver. Each of THREADS threads has a queue of its
// own and enqueues KERNELS kernels of a few names, with a write before, a flush now and then and a
// blocking read after each burst. With PAUSE_US it sleeps so long after each kernel, and a thread
// of the driver has nothing to do meanwhile. With "never-waits" no read blocks: it waits once, at
// its end. Prints how many commands it enqueued.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

void check(cl_int result, const char* what)
{
    if (result == CL_SUCCESS)
        return;
    std::fprintf(stderr, "gputest-cl: %s: error %d\n", what, result);
    std::exit(1);
}

template <typename Object> Object* made(Object* object, cl_int result, const char* what)
{
    check(result, what);
    return object;
}

constexpr unsigned burst = 8;

struct Plan {
    unsigned kernels = 0;
    unsigned pause_us = 0;
    cl_bool is_read_blocking = CL_TRUE;
};

void run(cl_context context, cl_device_id device, cl_program program, unsigned thread, Plan plan)
{
    cl_int result = CL_SUCCESS;
    const auto queue = made(clCreateCommandQueue(context, device, 0, &result), result, "queue");
    const auto memory =
        made(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, nullptr, &result), result, "buffer");
    std::array<unsigned char, 4096> bytes{};
    std::array<cl_kernel, 3> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string name = "work_" + std::to_string(thread) + "_" + std::to_string(i);
        all[i] = made(clCreateKernel(program, name.c_str(), &result), result, "kernel");
    }
    for (unsigned done = 0; done < plan.kernels; ++done) {
        const std::size_t items = 50 + 100 * (done % 5);
        if (done % burst == 0) {
            check(clEnqueueWriteBuffer(queue, memory, CL_FALSE, 0, bytes.size(), bytes.data(), 0,
                                       nullptr, nullptr),
                  "write");
        }
        check(clEnqueueNDRangeKernel(queue, all[done % all.size()], 1, nullptr, &items, nullptr, 0,
                                     nullptr, nullptr),
              "enqueue");
        if (plan.pause_us != 0)
            std::this_thread::sleep_for(std::chrono::microseconds{plan.pause_us});
        if (done % burst == burst / 2)
            check(clFlush(queue), "flush");
        if (done % burst == burst - 1) {
            check(clEnqueueReadBuffer(queue, memory, plan.is_read_blocking, 0, bytes.size(),
                                      bytes.data(), 0, nullptr, nullptr),
                  "read");
        }
    }
    check(clFinish(queue), "finish");
    for (const cl_kernel kernel : all)
        clReleaseKernel(kernel);
    clReleaseMemObject(memory);
    clReleaseCommandQueue(queue);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3 || argc > 5) {
        std::fputs("usage: gputest-cl THREADS KERNELS [PAUSE_US [never-waits]]\n", stderr);
        return 2;
    }
    const unsigned threads = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
    Plan plan;
    plan.kernels = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    plan.pause_us = argc > 3 ? static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10)) : 0;
    plan.is_read_blocking =
        argc > 4 && std::string_view{argv[4]} == "never-waits" ? CL_FALSE : CL_TRUE;
    cl_platform_id platform = nullptr;
    check(clGetPlatformIDs(1, &platform, nullptr), "platform");
    cl_device_id device = nullptr;
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, nullptr), "device");
    cl_int result = CL_SUCCESS;
    const auto context =
        made(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result), result, "context");
    const char* source = "";
    const auto program =
        made(clCreateProgramWithSource(context, 1, &source, nullptr, &result), result, "program");
    check(clBuildProgram(program, 1, &device, nullptr, nullptr, nullptr), "build");
    std::vector<std::thread> all;
    for (unsigned i = 0; i < threads; ++i)
        all.emplace_back(run, context, device, program, i, plan);
    for (std::thread& thread : all)
        thread.join();
    clReleaseProgram(program);
    clReleaseContext(context);
    std::printf("threads=%u kernels=%u\n", threads, threads * plan.kernels);
    return 0;
}
