// SPDX-License-Identifier: MIT
//
// Contexts: made, described, kept and released.
#include "sections.hpp"

namespace conformance {

namespace {

void CL_CALLBACK told(const char*, const void*, size_t, void* count)
{
    static_cast<Count*>(count)->add();
}

void CL_CALLBACK destroyed(cl_context, void* count)
{
    static_cast<Count*>(count)->add();
}

void describe(cl_context context, cl_device_id device)
{
    INFO(cl_uint, "references", clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT);
    INFO(cl_uint, "devices", clGetContextInfo, context, CL_CONTEXT_NUM_DEVICES);
    const auto first =
        INFO_HIDDEN(cl_device_id, "device", clGetContextInfo, context, CL_CONTEXT_DEVICES);
    line("%s", first == device ? "the same device" : "another device");
    cl_context_properties properties[8] = {};
    size_t size = 0;
    CALL("properties", clGetContextInfo, context, CL_CONTEXT_PROPERTIES, sizeof properties,
         properties, &size);
    line("%zu bytes, the first %llx", size, (unsigned long long)properties[0]);
    INFO(cl_uint, "no such name", clGetContextInfo, context, 0xdead);
}

void made_and_released(const Device& device)
{
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platform), 0};
    static Count messages;
    cl_context context =
        MAKE("with a callback", clCreateContext, properties, 1, &device.device, told, &messages);
    describe(context, device.device);
    CALL("once more", clRetainContext, context);
    INFO(cl_uint, "references", clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT);
    CALL("back", clReleaseContext, context);
    Count ends;
    CALL("its end", clSetContextDestructorCallback, context, destroyed, &ends);
    CALL("its end again", clSetContextDestructorCallback, context, destroyed, &ends);
    CALL("no function", clSetContextDestructorCallback, context, nullptr, nullptr);
    line("%d ends before the release", ends.value());
    CALL("last", clReleaseContext, context);
    line("%d ends after it", ends.value());
    context = MAKE("of a type", clCreateContextFromType, properties, CL_DEVICE_TYPE_ALL, nullptr,
                   nullptr);
    describe(context, device.device);
    CALL("last", clReleaseContext, context);
}

void bad_arguments(const Device& device)
{
    const cl_context_properties unknown[] = {0x7777, 1, 0};
    MAKE("unknown property", clCreateContext, unknown, 1, &device.device, nullptr, nullptr);
    MAKE("no device", clCreateContext, nullptr, 0, nullptr, nullptr, nullptr);
    static Count messages;
    MAKE("data without function", clCreateContext, nullptr, 1, &device.device, nullptr, &messages);
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platform), 0};
    MAKE("type without device", clCreateContextFromType, properties, CL_DEVICE_TYPE_ACCELERATOR,
         nullptr, nullptr);
    called("clCreateContext");
    // The error is optional.
    cl_context context = clCreateContext(nullptr, 1, &device.device, nullptr, nullptr, nullptr);
    line("clCreateContext, error not asked: %s", context ? "object" : "none");
    CALL("last", clReleaseContext, context);
    CALL("no context", clRetainContext, nullptr);
    CALL("no context", clReleaseContext, nullptr);
    CALL("no context", clGetContextInfo, nullptr, CL_CONTEXT_DEVICES, 0, nullptr, nullptr);
    CALL("no context", clSetContextDestructorCallback, nullptr, destroyed, nullptr);
}

} // namespace

void contexts(const Device& device)
{
    made_and_released(device);
    bad_arguments(device);
}

} // namespace conformance
