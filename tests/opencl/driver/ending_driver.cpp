// SPDX-License-Identifier: MIT
//
// A driver (ICD) that ends before the layer: with its first object of the kind that $ENDING_DRIVER
// names (context, queue, command) it registers an exit handler, and handlers run in the opposite
// order. It has variables of each thread, too, as Oclgrind has: those of the thread that exits are
// gone before the first exit handler, and code 98 says that it was called there. While exiting it
// calls the program and the layer back for every event that they watch,
// takes its objects apart, and ends the program with code 99 when it is called after that: others
// would crash. No driver in Debian does this, so PoCL, whose library $WHOLE_DRIVER names, does
// the work, with some entries of its table replaced.
#include "wrapped_pocl.hpp"

#include <vector>

namespace {

using Callback = void(CL_CALLBACK*)(cl_event, cl_int, void*);
struct Watch {
    cl_event event;
    Callback callback;
    void* data;
};

std::mutex lock;
std::vector<Watch>* watches = new std::vector<Watch>; // outlives every exit handler
bool has_ended = false;
bool is_calling_back = false;

thread_local bool are_locals_gone = false;
struct Locals {
    unsigned calls = 0;
    ~Locals() { are_locals_gone = true; }
};
thread_local Locals locals;

void end()
{
    std::vector<Watch> told;
    {
        const std::lock_guard guard{lock};
        told.swap(*watches);
    }
    std::printf("the driver ends: %s\n", told.empty() ? "nobody watches" : "calls back");
    is_calling_back = true;
    for (const Watch& watch : told)
        watch.callback(watch.event, CL_COMPLETE, watch.data);
    is_calling_back = false;
    has_ended = true;
}

void made(const char* kind)
{
    static bool is_registered = false;
    const char* wanted = std::getenv("ENDING_DRIVER");
    const std::lock_guard guard{lock};
    if (!is_registered && std::strcmp(kind, wanted ? wanted : "command") == 0) {
        is_registered = true;
        std::atexit(end);
    }
}

void check(const char* function)
{
    if (!are_locals_gone)
        ++locals.calls;
    const bool is_late = are_locals_gone && !is_calling_back;
    if (!has_ended && !is_late)
        return;
    std::printf("%s() %s\n", function,
                has_ended ? "after the driver's end" : "on a thread whose variables are gone");
    std::fflush(stdout);
    _exit(has_ended ? 99 : 98);
}

// What a layer may be tempted to call at exit. The same for each: look whether the driver is there.
#define CHECKED(function, parameters, arguments)                                                   \
    cl_int CL_API_CALL checked_##function parameters                                               \
    {                                                                                              \
        check(#function);                                                                          \
        return driver.function arguments;                                                          \
    }

CHECKED(clGetEventInfo,
        (cl_event event, cl_event_info what, size_t size, void* value, size_t* told),
        (event, what, size, value, told))
CHECKED(clGetEventProfilingInfo,
        (cl_event event, cl_profiling_info what, size_t size, void* value, size_t* told),
        (event, what, size, value, told))
CHECKED(clReleaseEvent, (cl_event event), (event))
CHECKED(clRetainEvent, (cl_event event), (event))
CHECKED(clReleaseCommandQueue, (cl_command_queue queue), (queue))
CHECKED(clGetCommandQueueInfo,
        (cl_command_queue queue, cl_command_queue_info what, size_t size, void* value,
         size_t* told),
        (queue, what, size, value, told))
CHECKED(clGetDeviceInfo,
        (cl_device_id device, cl_device_info what, size_t size, void* value, size_t* told),
        (device, what, size, value, told))
CHECKED(clReleaseContext, (cl_context context), (context))
CHECKED(clFlush, (cl_command_queue queue), (queue))
CHECKED(clFinish, (cl_command_queue queue), (queue))

cl_int CL_API_CALL watch_event(cl_event event, cl_int, Callback callback, void* data)
{
    check("clSetEventCallback");
    const std::lock_guard guard{lock};
    watches->push_back({event, callback, data});
    return CL_SUCCESS;
}

cl_context CL_API_CALL make_context(
    const cl_context_properties* properties, cl_uint count, const cl_device_id* devices,
    void(CL_CALLBACK* callback)(const char*, const void*, size_t, void*), void* data, cl_int* error)
{
    made("context");
    return driver.clCreateContext(properties, count, devices, callback, data, error);
}

cl_command_queue CL_API_CALL make_queue(cl_context context, cl_device_id device,
                                        const cl_queue_properties* properties, cl_int* error)
{
    made("queue");
    return driver.clCreateCommandQueueWithProperties(context, device, properties, error);
}

cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                          const size_t* offset, const size_t* global, const size_t* local,
                          cl_uint waits_count, const cl_event* waits, cl_event* event)
{
    check("clEnqueueNDRangeKernel");
    made("command");
    return driver.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
                                         waits_count, waits, event);
}

void replace_entries(cl_icd_dispatch& table)
{
    table.clGetEventInfo = checked_clGetEventInfo;
    table.clGetEventProfilingInfo = checked_clGetEventProfilingInfo;
    table.clReleaseEvent = checked_clReleaseEvent;
    table.clRetainEvent = checked_clRetainEvent;
    table.clReleaseCommandQueue = checked_clReleaseCommandQueue;
    table.clGetCommandQueueInfo = checked_clGetCommandQueueInfo;
    table.clGetDeviceInfo = checked_clGetDeviceInfo;
    table.clReleaseContext = checked_clReleaseContext;
    table.clFlush = checked_clFlush;
    table.clFinish = checked_clFinish;
    table.clSetEventCallback = watch_event;
    table.clCreateContext = make_context;
    table.clCreateCommandQueueWithProperties = make_queue;
    table.clEnqueueNDRangeKernel = launch;
}

} // namespace
