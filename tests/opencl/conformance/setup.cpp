// SPDX-License-Identifier: MIT
#include "setup.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace conformance {

namespace {

void require(cl_int result, const char* words)
{
    if (result == CL_SUCCESS)
        return;
    std::printf("conformance: %s failed with %d\n", words, result);
    std::fflush(stdout);
    std::_Exit(2);
}

bool is_wanted(cl_platform_id platform)
{
    const char* wanted = std::getenv("CONFORMANCE_PLATFORM");
    char name[256] = "";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
    return !wanted || std::string(name).find(wanted) != std::string::npos;
}

} // namespace

Device find_device()
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    require(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16; ++i) {
        Device found{platforms[i], nullptr};
        if (is_wanted(found.platform) && clGetDeviceIDs(found.platform, CL_DEVICE_TYPE_ALL, 1,
                                                        &found.device, nullptr) == CL_SUCCESS)
            return found;
    }
    require(CL_DEVICE_NOT_FOUND, "finding the platform and a device");
    return {};
}

Context::Context(const Device& device) : m_device(device)
{
    cl_int error = 0;
    m_context = clCreateContext(nullptr, 1, &m_device.device, nullptr, nullptr, &error);
    require(error, "clCreateContext");
}

Context::~Context()
{
    clReleaseContext(m_context);
}

cl_command_queue Context::queue(cl_command_queue_properties properties) const
{
    cl_int error = 0;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(m_context, m_device.device, list, &error);
    require(error, "clCreateCommandQueueWithProperties");
    return queue;
}

cl_mem Context::buffer(std::size_t size, cl_mem_flags flags) const
{
    cl_int error = 0;
    cl_mem buffer = clCreateBuffer(m_context, flags, size, nullptr, &error);
    require(error, "clCreateBuffer");
    return buffer;
}

cl_program Context::program(const char* source) const
{
    cl_int error = 0;
    cl_program program = clCreateProgramWithSource(m_context, 1, &source, nullptr, &error);
    require(error, "clCreateProgramWithSource");
    require(clBuildProgram(program, 1, &m_device.device, "", nullptr, nullptr), "clBuildProgram");
    return program;
}

void pause_half_a_millisecond()
{
    std::this_thread::sleep_for(std::chrono::microseconds(500));
}

int Count::settled(int least) const
{
    using namespace std::chrono;
    const auto deadline = steady_clock::now() + seconds(10);
    while (value() < least && steady_clock::now() < deadline)
        std::this_thread::sleep_for(milliseconds(1));
    // Long enough for a callback that came twice.
    std::this_thread::sleep_for(milliseconds(5));
    return value();
}

int Count::after_a_while() const
{
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    return value();
}

bool is_survived(const char* function, const char* words, const std::function<void()>& call)
{
    called(function);
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        // The driver explains itself there; and nobody else's threads are here to wake us.
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDERR_FILENO);
        alarm(20);
        call();
        _exit(0);
    }
    int ended = 0;
    waitpid(child, &ended, 0);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return true;
    line("%s %s: the driver ends the program", function, words);
    return false;
}

} // namespace conformance
