// SPDX-License-Identifier: MIT
//
// secure: does some work and says whether the process is privileged (AT_SECURE) and whether
// LTTng-UST is loaded in it.
#include "work.hpp"

#include <fstream>
#include <string>
#include <sys/auxv.h>

namespace {

// Without a program: compilers refuse to work with a user's rights and root's files.
void fill_and_read()
{
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    require(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int error = 0;
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    require(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
    require(error, "clCreateCommandQueueWithProperties");
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &error);
    require(error, "clCreateBuffer");
    cl_int value = 9, result = 0;
    require(clEnqueueFillBuffer(queue, memory, &value, 4, 0, 64, 0, nullptr, nullptr),
            "clEnqueueFillBuffer");
    require(clEnqueueReadBuffer(queue, memory, CL_TRUE, 60, 4, &result, 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
    require(result == value ? CL_SUCCESS : 1, "the result");
}

} // namespace

int main()
{
    fill_and_read();
    std::ifstream maps("/proc/self/maps");
    bool has_lttng = false;
    for (std::string map; std::getline(maps, map);)
        has_lttng = has_lttng || map.find("liblttng-ust") != std::string::npos;
    std::printf("%s, works, %s\n", getauxval(AT_SECURE) ? "secure" : "not secure",
                has_lttng ? "LTTng" : "no LTTng");
}
