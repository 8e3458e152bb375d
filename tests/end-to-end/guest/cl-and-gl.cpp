// SPDX-License-Identifier: MIT
// cl-and-gl ROUNDS: uses OpenCL and OpenGL ES in one thread, at the same time: in each round it
// lets OpenCL's first device fill memory, draws meanwhile, and then waits for the device. Kernels
// would have to be compiled, which takes a minute in an emulated machine. Writes
// for each round from when to when there was each (CLOCK_MONOTONIC): CL_BEGIN GL_BEGIN GL_END
// CL_END.
#define CL_TARGET_OPENCL_VERSION 120
#include "../../diagnose/guest/slow_triangle.hpp"

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

constexpr std::size_t bytes = 16 << 20;

long long now_ns()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

void require(cl_int result, const char* what)
{
    if (result != CL_SUCCESS) {
        std::fprintf(stderr, "cl-and-gl: %s: %d\n", what, result);
        std::exit(1);
    }
}

class Filler {
public:
    Filler()
    {
        cl_platform_id platform = nullptr;
        cl_device_id device = nullptr;
        cl_int result = clGetPlatformIDs(1, &platform, nullptr);
        require(result, "clGetPlatformIDs");
        require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr),
                "clGetDeviceIDs");
        const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result);
        require(result, "clCreateContext");
        m_queue = clCreateCommandQueue(context, device, 0, &result);
        require(result, "clCreateCommandQueue");
        m_buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &result);
        require(result, "clCreateBuffer");
    }
    void begin() const
    {
        const cl_int pattern = 7;
        require(clEnqueueFillBuffer(m_queue, m_buffer, &pattern, sizeof pattern, 0, bytes, 0,
                                    nullptr, nullptr),
                "clEnqueueFillBuffer");
        require(clFlush(m_queue), "clFlush");
    }
    void finish() const { require(clFinish(m_queue), "clFinish"); }

private:
    cl_command_queue m_queue = nullptr;
    cl_mem m_buffer = nullptr;
};

} // namespace

int main(int argc, char** argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 0;
    const lttng_gpu::guest::SlowTriangle triangle;
    const Filler filler;
    std::fprintf(stderr, "cl-and-gl: %s\n", triangle.renderer());
    for (int round = 0; round < rounds; ++round) {
        const long long cl_begin = now_ns();
        filler.begin();
        const long long gl_begin = now_ns();
        triangle.draw(1);
        const long long gl_end = now_ns();
        filler.finish();
        std::printf("%lld %lld %lld %lld\n", cl_begin, gl_begin, gl_end, now_ns());
    }
    return 0;
}
