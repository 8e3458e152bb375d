// SPDX-License-Identifier: MIT
//
// leaves WHAT: an application that lets go of things in an unusual order.
//   profiling   asks for an event's times after its queue is gone and another one was made
//   loader      unloads libOpenCL while commands were never waited for, and exits
//   context     releases queue and context before the command is complete, and waits for the
//               context's destructor callback
//   queues N    as often: makes a queue, enqueues, releases it before the command is complete;
//               prints whether memory grew by more than 4 MiB
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace {

void* library = nullptr;
std::atomic<bool> is_destroyed{false};

template <class Function> Function* find(Function*, const char* name)
{
    return reinterpret_cast<Function*>(dlsym(library, name));
}
#define CL(name) find(&::name, #name)

void CL_CALLBACK destroyed(cl_context, void*)
{
    is_destroyed = true;
}

cl_command_queue make_queue(cl_context context, cl_device_id device,
                            cl_command_queue_properties properties = 0)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    return CL(clCreateCommandQueueWithProperties)(context, device, list, nullptr);
}

void ask_profiling(cl_context context, cl_device_id device)
{
    const cl_command_queue_properties kinds[] = {0, CL_QUEUE_PROFILING_ENABLE};
    for (const cl_command_queue_properties own : kinds) {
        cl_command_queue queue = make_queue(context, device, own);
        cl_event event = nullptr;
        cl_ulong time = 0;
        const auto ask = [&](const char* when) {
            std::printf("%s: %d\n", when,
                        CL(clGetEventProfilingInfo)(event, CL_PROFILING_COMMAND_END, sizeof time,
                                                    &time, nullptr));
        };
        CL(clEnqueueMarkerWithWaitList)(queue, 0, nullptr, &event);
        CL(clFinish)(queue);
        ask("with its queue");
        CL(clReleaseCommandQueue)(queue);
        ask("without");
        queue = make_queue(context, device, own ? 0 : CL_QUEUE_PROFILING_ENABLE);
        ask("with another");
        CL(clReleaseEvent)(event);
        CL(clReleaseCommandQueue)(queue);
    }
}

void unload_loader(cl_context context, cl_device_id device)
{
    cl_command_queue queue = make_queue(context, device);
    CL(clEnqueueMarkerWithWaitList)(queue, 0, nullptr, nullptr);
    CL(clFlush)(queue);
    dlclose(library);
    std::printf("unloaded\n");
}

// A command that ends when the event is set.
cl_event enqueue_open(cl_context context, cl_command_queue queue)
{
    cl_event open = CL(clCreateUserEvent)(context, nullptr);
    CL(clEnqueueMarkerWithWaitList)(queue, 1, &open, nullptr);
    CL(clFlush)(queue);
    return open;
}

void complete(cl_event open)
{
    CL(clSetUserEventStatus)(open, CL_COMPLETE);
    CL(clReleaseEvent)(open);
}

void release_context(cl_context context, cl_device_id device)
{
    cl_command_queue queue = make_queue(context, device);
    CL(clSetContextDestructorCallback)(context, destroyed, nullptr);
    cl_event open = enqueue_open(context, queue);
    CL(clReleaseCommandQueue)(queue);
    CL(clReleaseContext)(context);
    complete(open);
    for (int i = 0; i < 100 && !is_destroyed; ++i)
        usleep(50000);
    std::printf("the context's callback %s\n", is_destroyed ? "came" : "never came");
}

long resident_kib()
{
    long pages = 0, resident = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (!file || std::fscanf(file, "%ld %ld", &pages, &resident) != 2)
        std::exit(2);
    std::fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

void make_queues(cl_context context, cl_device_id device, int count)
{
    long before = 0;
    for (int i = 0; i < 2 * count; ++i) {
        // The first half is for what the driver keeps.
        if (i == count)
            before = resident_kib();
        cl_command_queue queue = make_queue(context, device);
        cl_event open = enqueue_open(context, queue);
        CL(clReleaseCommandQueue)(queue);
        complete(open);
    }
    std::printf("memory %s\n", resident_kib() - before > 4096 ? "grew" : "stays");
}

} // namespace

int main(int count, char** words)
{
    if (count < 2)
        return 2;
    library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return 2;
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    CL(clGetPlatformIDs)(1, &platform, nullptr);
    if (CL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
        return 2;
    cl_context context = CL(clCreateContext)(nullptr, 1, &device, nullptr, nullptr, nullptr);
    if (!std::strcmp(words[1], "profiling"))
        ask_profiling(context, device);
    else if (!std::strcmp(words[1], "loader"))
        unload_loader(context, device);
    else if (!std::strcmp(words[1], "context"))
        release_context(context, device);
    else
        make_queues(context, device, count > 2 ? std::atoi(words[2]) : 3000);
}
