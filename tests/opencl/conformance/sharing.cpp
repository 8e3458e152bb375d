// SPDX-License-Identifier: MIT
//
// Sharing with OpenGL and EGL without either being there: the same refusals. Direct3D's entries are
// of Windows; the loader exports none of them, and the table has none in any driver here.
#include "sections.hpp"

namespace conformance {

namespace {

// What both the loader and the driver have can be called with a real object.
void opengl(const Context& context, const cl_icd_dispatch& table)
{
    cl_command_queue queue = context.queue();
    cl_mem memory = context.buffer(64);
    cl_uint type = 0, name = 0;
    if (table.clCreateFromGLBuffer)
        MAKE_IF_SURVIVED("no OpenGL", clCreateFromGLBuffer, context, CL_MEM_READ_WRITE, 1);
    if (table.clCreateFromGLTexture2D)
        MAKE_IF_SURVIVED("no OpenGL", clCreateFromGLTexture2D, context, CL_MEM_READ_WRITE, 0x0DE1,
                         0, 1);
    if (table.clCreateFromGLTexture3D)
        MAKE_IF_SURVIVED("no OpenGL", clCreateFromGLTexture3D, context, CL_MEM_READ_WRITE, 0x806F,
                         0, 1);
    if (table.clCreateFromGLTexture)
        MAKE_IF_SURVIVED("no OpenGL", clCreateFromGLTexture, context, CL_MEM_READ_WRITE, 0x0DE1, 0,
                         1);
    if (table.clCreateFromGLRenderbuffer)
        MAKE_IF_SURVIVED("no OpenGL", clCreateFromGLRenderbuffer, context, CL_MEM_READ_WRITE, 1);
    if (table.clGetGLObjectInfo)
        CALL_IF_SURVIVED("not of OpenGL", clGetGLObjectInfo, memory, &type, &name);
    if (table.clGetGLTextureInfo)
        CALL_IF_SURVIVED("not of OpenGL", clGetGLTextureInfo, memory, 0x2004, sizeof type, &type,
                         nullptr);
    if (table.clEnqueueAcquireGLObjects)
        CALL_IF_SURVIVED("not of OpenGL", clEnqueueAcquireGLObjects, queue, 1, &memory, 0, nullptr,
                         nullptr);
    if (table.clEnqueueReleaseGLObjects)
        CALL_IF_SURVIVED("not of OpenGL", clEnqueueReleaseGLObjects, queue, 1, &memory, 0, nullptr,
                         nullptr);
    if (table.clCreateEventFromGLsyncKHR)
        MAKE_IF_SURVIVED("no OpenGL", clCreateEventFromGLsyncKHR, context, nullptr);
    CALL("all", clFinish, queue);
    CALL("last", clReleaseMemObject, memory);
    CALL("last", clReleaseCommandQueue, queue);
}

// Without an object the loader itself refuses.
void without_objects()
{
    cl_uint type = 0;
    MAKE_IF_SURVIVED("no context", clCreateFromGLBuffer, nullptr, 0, 1);
    MAKE_IF_SURVIVED("no context", clCreateFromGLTexture, nullptr, 0, 0x0DE1, 0, 1);
    MAKE_IF_SURVIVED("no context", clCreateFromGLTexture2D, nullptr, 0, 0x0DE1, 0, 1);
    MAKE_IF_SURVIVED("no context", clCreateFromGLTexture3D, nullptr, 0, 0x806F, 0, 1);
    MAKE_IF_SURVIVED("no context", clCreateFromGLRenderbuffer, nullptr, 0, 1);
    CALL_IF_SURVIVED("no memory", clGetGLObjectInfo, nullptr, &type, &type);
    CALL_IF_SURVIVED("no memory", clGetGLTextureInfo, nullptr, 0x2004, sizeof type, &type, nullptr);
    CALL_IF_SURVIVED("no queue", clEnqueueAcquireGLObjects, nullptr, 0, nullptr, 0, nullptr,
                     nullptr);
    CALL_IF_SURVIVED("no queue", clEnqueueReleaseGLObjects, nullptr, 0, nullptr, 0, nullptr,
                     nullptr);
    MAKE_IF_SURVIVED("no context", clCreateEventFromGLsyncKHR, nullptr, nullptr);
    MAKE_IF_SURVIVED("no context", clCreateFromEGLImageKHR, nullptr, nullptr, nullptr, 0, nullptr);
    CALL_IF_SURVIVED("no queue", clEnqueueAcquireEGLObjectsKHR, nullptr, 0, nullptr, 0, nullptr,
                     nullptr);
    CALL_IF_SURVIVED("no queue", clEnqueueReleaseEGLObjectsKHR, nullptr, 0, nullptr, 0, nullptr,
                     nullptr);
    MAKE_IF_SURVIVED("no context", clCreateEventFromEGLSyncKHR, nullptr, nullptr, nullptr);
}

void opengl_context(const Device& device, const cl_icd_dispatch& table)
{
    const cl_context_properties properties[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device.platform), 0};
    cl_device_id found = nullptr;
    size_t size = 777;
    if (table.clGetGLContextInfoKHR)
        CALL_IF_SURVIVED("no OpenGL", clGetGLContextInfoKHR, properties,
                         CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR, sizeof found, &found, &size);
    CALL_IF_SURVIVED("no properties", clGetGLContextInfoKHR, nullptr,
                     CL_CURRENT_DEVICE_FOR_GL_CONTEXT_KHR, sizeof found, &found, &size);
}

} // namespace

void sharing(const Device& device)
{
    const Context context(device);
    const auto& table = **reinterpret_cast<cl_icd_dispatch* const*>(device.platform);
    opengl(context, table);
    without_objects();
    opengl_context(device, table);
}

} // namespace conformance
