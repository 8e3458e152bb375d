// SPDX-License-Identifier: MIT
//
// calls: what OpenCL calls cost in this process, with whatever layer it runs. Reads names of
// measurements from standard input, one a line, and answers each with nanoseconds per call (or per
// iteration): the benchmark drives several such processes in turn, so that all see the same
// machine.
//
//   tracepoint WHICH    an LTTng-UST tracepoint of our own: empty or command
//   platform COUNT      clGetPlatformIDs, the shortest synchronous call
//   read BYTES          blocking clEnqueueReadBuffer
//   launch COUNT        clEnqueueNDRangeKernel without an event, COUNT of them up to the end of
//                       clFinish: the device takes each as it comes, on the same processor
//   saturated COUNT     the same, but the device is held until all are in its queue
//   image WIDTH HEIGHT  the program of the paper: 14 synchronous and 2 asynchronous calls that
//                       make an image
#include "tests/opencl/programs/work.hpp"

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "bench_provider.h"

#include <chrono>
#include <string>

namespace {

double now_ns()
{
    return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

template <class Function> double per_call(long count, Function call)
{
    const double begin = now_ns();
    for (long i = 0; i < count; ++i)
        call(i);
    return (now_ns() - begin) / static_cast<double>(count);
}

double tracepoint_cost(const std::string& which)
{
    constexpr long count = 20000;
    if (which == "empty")
        return per_call(count, [](long) { lttng_ust_tracepoint(lttng_gpu_bench_opencl, empty); });
    return per_call(count, [](long i) {
        lttng_ust_tracepoint(lttng_gpu_bench_opencl, call, static_cast<uint32_t>(i), 0,
                             static_cast<uint64_t>(i));
    });
}

double platform(long count)
{
    return per_call(count, [](long) {
        cl_uint found = 0;
        clGetPlatformIDs(0, nullptr, &found);
    });
}

double read_buffer(const Setup& setup, cl_command_queue queue, size_t bytes)
{
    cl_int error = 0;
    cl_mem memory = clCreateBuffer(setup.context, CL_MEM_READ_WRITE, bytes, nullptr, &error);
    require(error, "clCreateBuffer");
    std::vector<char> place(bytes);
    const auto read = [&](long) {
        require(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, place.data(), 0, nullptr,
                                    nullptr),
                "clEnqueueReadBuffer");
    };
    // Pages and the driver's own memory are ready then.
    for (int i = 0; i < 20; ++i)
        read(i);
    const double cost = per_call(bytes > 100000 ? 200 : 1000, read);
    clReleaseMemObject(memory);
    return cost;
}

// A queue of its own: one made before the session has no times.
double launch(const Setup& setup, long count, bool is_held)
{
    cl_command_queue queue = setup.queue();
    Work work(setup);
    work.launch(queue);
    require(clFinish(queue), "clFinish");
    cl_int error = CL_SUCCESS;
    cl_event gate = clCreateUserEvent(setup.context, &error);
    require(error, "clCreateUserEvent");
    if (is_held)
        require(clEnqueueMarkerWithWaitList(queue, 1, &gate, nullptr),
                "clEnqueueMarkerWithWaitList");
    const double begin = now_ns();
    for (long i = 0; i < count; ++i)
        require(work.launch_again(queue), "clEnqueueNDRangeKernel");
    require(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
    require(clFinish(queue), "clFinish");
    const double cost = (now_ns() - begin) / static_cast<double>(count);
    require(clReleaseEvent(gate), "clReleaseEvent");
    require(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
    return cost;
}

// Each iteration is a whole program's: what it makes, it releases. The kernel does little per
// pixel, so that the calls show beside the work of a processor that stands in for a GPU.
double image(const Setup& setup, const size_t (&size)[2])
{
    const char* source = "kernel void shade(global uchar4* image, int width)\n"
                         "{ int x = get_global_id(0), y = get_global_id(1);\n"
                         "  image[y * width + x] = (uchar4)(x, y, x ^ y, 255); }\n";
    const size_t bytes = size[0] * size[1] * 4;
    std::vector<unsigned char> pixels(bytes);
    cl_int error = 0;
    // The build is the program's beginning, not its iteration.
    cl_program program = clCreateProgramWithSource(setup.context, 1, &source, nullptr, &error);
    require(clBuildProgram(program, 1, &setup.device, "", nullptr, nullptr), "clBuildProgram");
    const cl_int width = static_cast<cl_int>(size[0]);
    const auto iteration = [&](long) {
        cl_uint count = 0;
        size_t group = 0;
        clGetPlatformIDs(0, nullptr, &count);                                   // 1
        clGetDeviceIDs(setup.platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count); // 2
        cl_command_queue queue =
            clCreateCommandQueueWithProperties(setup.context, setup.device, nullptr, nullptr); // 3
        cl_mem memory =
            clCreateBuffer(setup.context, CL_MEM_WRITE_ONLY, bytes, nullptr, nullptr); // 4
        cl_kernel kernel = clCreateKernel(program, "shade", nullptr);                  // 5
        clGetKernelWorkGroupInfo(kernel, setup.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group,
                                 &group, nullptr);         // 6
        clSetKernelArg(kernel, 0, sizeof memory, &memory); // 7
        clSetKernelArg(kernel, 1, sizeof width, &width);   // 8
        cl_event events[2] = {};
        clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, size, nullptr, 0, nullptr,
                               &events[0]); // asynchronous
        clEnqueueReadBuffer(queue, memory, CL_FALSE, 0, bytes, pixels.data(), 1, &events[0],
                            &events[1]);                                // asynchronous
        clWaitForEvents(1, &events[1]);                                 // 9
        clReleaseEvent(events[0]);                                      // 10
        clReleaseEvent(events[1]);                                      // 11
        clReleaseKernel(kernel);                                        // 12
        clReleaseMemObject(memory);                                     // 13
        require(clReleaseCommandQueue(queue), "clReleaseCommandQueue"); // 14
    };
    for (int i = 0; i < 3; ++i)
        iteration(i);
    const double cost = per_call(bytes > 100000 ? 12 : 60, iteration);
    require(pixels[bytes - 1] == 255 ? CL_SUCCESS : 1, "the image");
    clReleaseProgram(program);
    return cost;
}

} // namespace

int main()
{
    Setup setup;
    cl_command_queue queue = setup.queue();
    Work work(setup);
    work.run(queue, 1);
    char what[32];
    while (std::scanf("%31s", what) == 1) {
        const std::string name = what;
        long first = 0, second = 0;
        double cost = 0;
        if (name == "tracepoint") {
            if (std::scanf("%31s", what) != 1)
                return 2;
            cost = tracepoint_cost(what);
        } else if (std::scanf("%ld", &first) != 1 ||
                   (name == "image" && std::scanf("%ld", &second) != 1)) {
            return 2;
        } else if (name == "platform") {
            cost = platform(first);
        } else if (name == "read") {
            cost = read_buffer(setup, queue, static_cast<size_t>(first));
        } else if (name == "launch" || name == "saturated") {
            cost = launch(setup, first, name == "saturated");
        } else if (name == "image") {
            cost = image(setup, {static_cast<size_t>(first), static_cast<size_t>(second)});
        } else {
            return 2;
        }
        std::printf("%.3f\n", cost);
        std::fflush(stdout);
    }
}
