// SPDX-License-Identifier: MIT
//
// Queues: every way to make one, and what they say of themselves.
#include "sections.hpp"

#include <cinttypes>
#include <vector>

namespace conformance {

namespace {

void describe(cl_command_queue queue, cl_context context, cl_device_id device)
{
    INFO(cl_command_queue_properties, "properties", clGetCommandQueueInfo, queue,
         CL_QUEUE_PROPERTIES);
    INFO(cl_uint, "references", clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
    INFO(cl_uint, "size", clGetCommandQueueInfo, queue, CL_QUEUE_SIZE);
    const auto own =
        INFO_HIDDEN(cl_context, "context", clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT);
    const auto on =
        INFO_HIDDEN(cl_device_id, "device", clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE);
    const auto usual = INFO_HIDDEN(cl_command_queue, "default", clGetCommandQueueInfo, queue,
                                   CL_QUEUE_DEVICE_DEFAULT);
    line("%s context, %s device, %s default", own == context ? "its" : "another",
         on == device ? "its" : "another", usual ? "a" : "no");
    INFO(cl_uint, "no such name", clGetCommandQueueInfo, queue, 0xdead);
}

// Exactly what was given at creation, with its length.
void property_array(cl_command_queue queue)
{
    cl_queue_properties list[16] = {77, 77, 77, 77, 77, 77, 77, 77};
    size_t size = 777;
    CALL("size of the array", clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES_ARRAY, 0, nullptr,
         &size);
    line("%zu bytes", size);
    CALL("no room", clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES_ARRAY, 1, list, nullptr);
    if (CALL("the array", clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list,
             list, &size) != CL_SUCCESS)
        return;
    for (size_t i = 0; i < size / sizeof *list; ++i)
        line("element %zu: %" PRIx64, i, (std::uint64_t)list[i]);
    line("after the array: %" PRIx64, (std::uint64_t)list[size / sizeof *list]);
}

void with_properties(const Context& context)
{
    const cl_device_id device = context.device().device;
    const std::vector<std::vector<cl_queue_properties>> lists = {
        {0},
        {CL_QUEUE_PROPERTIES, 0, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE,
         0},
        {CL_QUEUE_PROPERTIES, 1 << 20, 0},
        {0x7777, 1, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
        {CL_QUEUE_SIZE, 1024, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, CL_QUEUE_SIZE, 1024, 0},
    };
    for (const auto& list : lists) {
        line("list beginning %" PRIx64 " %" PRIx64, (std::uint64_t)list[0],
             (std::uint64_t)(list.size() > 1 ? list[1] : 0));
        if (!is_survived("clCreateCommandQueueWithProperties", "listed", [&] {
                clCreateCommandQueueWithProperties(context, device, list.data(), nullptr);
            }))
            continue;
        cl_command_queue queue =
            MAKE("listed", clCreateCommandQueueWithProperties, context, device, list.data());
        if (!queue)
            continue;
        describe(queue, context, device);
        property_array(queue);
        CALL("last", clReleaseCommandQueue, queue);
    }
    cl_command_queue queue =
        MAKE("no list", clCreateCommandQueueWithProperties, context, device, nullptr);
    describe(queue, context, device);
    property_array(queue);
    CALL("last", clReleaseCommandQueue, queue);
}

void as_of_old(const Context& context)
{
    const cl_device_id device = context.device().device;
    for (cl_command_queue_properties properties :
         {0, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 1 << 20}) {
        line("properties %llx", (unsigned long long)properties);
        cl_command_queue queue =
            MAKE("as of old", clCreateCommandQueue, context, device, properties);
        if (!queue)
            continue;
        describe(queue, context, device);
        property_array(queue);
        CALL("once more", clRetainCommandQueue, queue);
        INFO(cl_uint, "references", clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
        CALL("back", clReleaseCommandQueue, queue);
        CALL("of nothing", clFlush, queue);
        CALL("of nothing", clFinish, queue);
        INFO(cl_uint, "references", clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT);
        CALL("last", clReleaseCommandQueue, queue);
    }
}

// An old function that drivers may refuse or lack.
void property_set(const Device& device, const Context& context)
{
    cl_command_queue queue = context.queue();
    const auto* table = *reinterpret_cast<cl_icd_dispatch* const*>(device.platform);
    if (table->clSetCommandQueueProperty) {
        cl_command_queue_properties old = 777;
        CALL("profiling on", clSetCommandQueueProperty, queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE,
             &old);
        line("before: %llx", (unsigned long long)old);
        CALL("profiling off", clSetCommandQueueProperty, queue, CL_QUEUE_PROFILING_ENABLE, CL_FALSE,
             &old);
        line("before: %llx", (unsigned long long)old);
        INFO(cl_command_queue_properties, "properties", clGetCommandQueueInfo, queue,
             CL_QUEUE_PROPERTIES);
    }
    if (table->clSetDefaultDeviceCommandQueue)
        CALL("a host queue", clSetDefaultDeviceCommandQueue, context, device.device, queue);
    CALL("last", clReleaseCommandQueue, queue);
}

void bad_arguments(const Context& context)
{
    const cl_device_id device = context.device().device;
    MAKE("no context", clCreateCommandQueueWithProperties, nullptr, device, nullptr);
    MAKE("no device", clCreateCommandQueueWithProperties, context, nullptr, nullptr);
    MAKE("no context", clCreateCommandQueue, nullptr, device, 0);
    MAKE("no device", clCreateCommandQueue, context, nullptr, 0);
    called("clCreateCommandQueueWithProperties");
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    line("error not asked: %s", queue ? "object" : "none");
    CALL("last", clReleaseCommandQueue, queue);
    CALL("no queue", clRetainCommandQueue, nullptr);
    CALL("no queue", clReleaseCommandQueue, nullptr);
    CALL("no queue", clGetCommandQueueInfo, nullptr, CL_QUEUE_CONTEXT, 0, nullptr, nullptr);
    CALL("no queue", clFlush, nullptr);
    CALL("no queue", clFinish, nullptr);
    CALL("no queue", clSetCommandQueueProperty, nullptr, 0, CL_TRUE, nullptr);
    CALL("no context", clSetDefaultDeviceCommandQueue, nullptr, device, nullptr);
}

} // namespace

void queues(const Device& device)
{
    const Context context(device);
    with_properties(context);
    as_of_old(context);
    property_set(device, context);
    bad_arguments(context);
}

} // namespace conformance
