// SPDX-License-Identifier: MIT
//
// run-kernel FILE KERNEL N [QUEUES [LAUNCHES]]: builds the program, runs KERNEL(out, n) with N
// work-items, and prints what the program can see: its source's length, the kernel's arguments,
// children that it did not make, and a hash and the sum of the results. Each queue has memory of
// its own; queues are on all devices in turn.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

static void check(cl_int error, const char* what)
{
    if (error != CL_SUCCESS) {
        std::fprintf(stderr, "%s: %d\n", what, error);
        std::exit(1);
    }
}

static volatile std::sig_atomic_t strange_children;

/// PoCL has children, too, and may wait for one before this looks at it.
static void look_at_child(int, siginfo_t* child, void*)
{
    char path[32];
    char name[16] = {};
    std::snprintf(path, sizeof(path), "/proc/%d/comm", child->si_pid);
    const int file = open(path, O_RDONLY);
    if (file >= 0 && read(file, name, sizeof(name)) > 0 && !std::strncmp(name, "lttng-gpu", 9))
        strange_children = strange_children + 1;
    close(file);
}

struct Lane {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_mem memory;
};

int main(int count, char** words)
{
    if (count < 4)
        return 2;
    struct sigaction action = {};
    action.sa_sigaction = look_at_child;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGCHLD, &action, nullptr);
    std::ifstream file{words[1]};
    const std::string source{std::istreambuf_iterator<char>{file}, {}};
    const int n = std::atoi(words[3]);
    const int queues = count > 4 ? std::atoi(words[4]) : 1;
    const int launches = count > 5 ? std::atoi(words[5]) : 1;
    cl_platform_id platform;
    cl_device_id devices[64];
    cl_uint devices_count = 0;
    cl_int error = clGetPlatformIDs(1, &platform, nullptr);
    check(error, "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 64, devices, &devices_count),
          "clGetDeviceIDs");
    devices_count = devices_count < 64 ? devices_count : 64;
    cl_context context = clCreateContext(nullptr, devices_count, devices, nullptr, nullptr, &error);
    check(error, "clCreateContext");
    const char* text = source.c_str();
    const size_t length = source.size();
    cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, devices_count, devices, "", nullptr, nullptr), "clBuildProgram");
    size_t seen = 0;
    clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &seen);
    std::vector<Lane> lanes;
    for (int number = 0; number < queues; ++number) {
        Lane lane;
        lane.queue = clCreateCommandQueue(
            context, devices[static_cast<cl_uint>(number) % devices_count], 0, &error);
        check(error, "clCreateCommandQueue");
        lane.kernel = clCreateKernel(program, words[2], &error);
        check(error, "clCreateKernel");
        lane.memory =
            clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(int) * size_t(n), nullptr, &error);
        check(error, "clCreateBuffer");
        check(clSetKernelArg(lane.kernel, 0, sizeof(lane.memory), &lane.memory), "clSetKernelArg");
        check(clSetKernelArg(lane.kernel, 1, sizeof(n), &n), "clSetKernelArg");
        lanes.push_back(lane);
    }
    cl_uint arguments = 0;
    clGetKernelInfo(lanes[0].kernel, CL_KERNEL_NUM_ARGS, sizeof(arguments), &arguments, nullptr);
    const bool has_more = clSetKernelArg(lanes[0].kernel, arguments, sizeof(n), &n) == CL_SUCCESS;
    const size_t global = size_t(n), local = 64;
    for (int launch = 0; launch < launches; ++launch) {
        for (Lane& lane : lanes)
            check(clEnqueueNDRangeKernel(lane.queue, lane.kernel, 1, nullptr, &global, &local, 0,
                                         nullptr, nullptr),
                  "clEnqueueNDRangeKernel");
        if (std::getenv("RUN_KERNEL_TELLS") == nullptr)
            continue;
        std::printf("launch %d\n", launch); // it may not end
        std::fflush(stdout);
        for (Lane& lane : lanes)
            clFinish(lane.queue);
    }
    unsigned hash = 2166136261;
    long long sum = 0;
    for (Lane& lane : lanes) {
        std::vector<int> out(static_cast<size_t>(n));
        check(clEnqueueReadBuffer(lane.queue, lane.memory, CL_TRUE, 0, sizeof(int) * out.size(),
                                  out.data(), 0, nullptr, nullptr),
              "clEnqueueReadBuffer");
        for (const int value : out) {
            hash = (hash ^ unsigned(value)) * 16777619;
            sum += value;
        }
        clReleaseKernel(lane.kernel);
        clReleaseMemObject(lane.memory);
        clReleaseCommandQueue(lane.queue);
    }
    if (strange_children)
        std::printf("a child that it did not make\n");
    std::printf("source %zu arguments %u more %d hash %u sum %lld\n", seen, arguments, has_more,
                hash, sum);
    clReleaseProgram(program);
    clReleaseContext(context);
}
