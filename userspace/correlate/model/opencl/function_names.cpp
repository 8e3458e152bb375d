// SPDX-License-Identifier: MIT
//
// See function_names.hpp.
#include "function_names.hpp"

#include <algorithm>
#include <array>

namespace lttng_gpu::model {
namespace {

/// In the order of the dispatch table.
constexpr std::array<std::string_view, 149> functions{
    "clGetPlatformIDs",
    "clGetPlatformInfo",
    "clGetDeviceIDs",
    "clGetDeviceInfo",
    "clCreateContext",
    "clCreateContextFromType",
    "clRetainContext",
    "clReleaseContext",
    "clGetContextInfo",
    "clCreateCommandQueue",
    "clRetainCommandQueue",
    "clReleaseCommandQueue",
    "clGetCommandQueueInfo",
    "clSetCommandQueueProperty",
    "clCreateBuffer",
    "clCreateImage2D",
    "clCreateImage3D",
    "clRetainMemObject",
    "clReleaseMemObject",
    "clGetSupportedImageFormats",
    "clGetMemObjectInfo",
    "clGetImageInfo",
    "clCreateSampler",
    "clRetainSampler",
    "clReleaseSampler",
    "clGetSamplerInfo",
    "clCreateProgramWithSource",
    "clCreateProgramWithBinary",
    "clRetainProgram",
    "clReleaseProgram",
    "clBuildProgram",
    "clUnloadCompiler",
    "clGetProgramInfo",
    "clGetProgramBuildInfo",
    "clCreateKernel",
    "clCreateKernelsInProgram",
    "clRetainKernel",
    "clReleaseKernel",
    "clSetKernelArg",
    "clGetKernelInfo",
    "clGetKernelWorkGroupInfo",
    "clWaitForEvents",
    "clGetEventInfo",
    "clRetainEvent",
    "clReleaseEvent",
    "clGetEventProfilingInfo",
    "clFlush",
    "clFinish",
    "clEnqueueReadBuffer",
    "clEnqueueWriteBuffer",
    "clEnqueueCopyBuffer",
    "clEnqueueReadImage",
    "clEnqueueWriteImage",
    "clEnqueueCopyImage",
    "clEnqueueCopyImageToBuffer",
    "clEnqueueCopyBufferToImage",
    "clEnqueueMapBuffer",
    "clEnqueueMapImage",
    "clEnqueueUnmapMemObject",
    "clEnqueueNDRangeKernel",
    "clEnqueueTask",
    "clEnqueueNativeKernel",
    "clEnqueueMarker",
    "clEnqueueWaitForEvents",
    "clEnqueueBarrier",
    "clGetExtensionFunctionAddress",
    "clCreateFromGLBuffer",
    "clCreateFromGLTexture2D",
    "clCreateFromGLTexture3D",
    "clCreateFromGLRenderbuffer",
    "clGetGLObjectInfo",
    "clGetGLTextureInfo",
    "clEnqueueAcquireGLObjects",
    "clEnqueueReleaseGLObjects",
    "clGetGLContextInfoKHR",
    "clGetDeviceIDsFromD3D10KHR",
    "clCreateFromD3D10BufferKHR",
    "clCreateFromD3D10Texture2DKHR",
    "clCreateFromD3D10Texture3DKHR",
    "clEnqueueAcquireD3D10ObjectsKHR",
    "clEnqueueReleaseD3D10ObjectsKHR",
    "clSetEventCallback",
    "clCreateSubBuffer",
    "clSetMemObjectDestructorCallback",
    "clCreateUserEvent",
    "clSetUserEventStatus",
    "clEnqueueReadBufferRect",
    "clEnqueueWriteBufferRect",
    "clEnqueueCopyBufferRect",
    "clCreateSubDevicesEXT",
    "clRetainDeviceEXT",
    "clReleaseDeviceEXT",
    "clCreateEventFromGLsyncKHR",
    "clCreateSubDevices",
    "clRetainDevice",
    "clReleaseDevice",
    "clCreateImage",
    "clCreateProgramWithBuiltInKernels",
    "clCompileProgram",
    "clLinkProgram",
    "clUnloadPlatformCompiler",
    "clGetKernelArgInfo",
    "clEnqueueFillBuffer",
    "clEnqueueFillImage",
    "clEnqueueMigrateMemObjects",
    "clEnqueueMarkerWithWaitList",
    "clEnqueueBarrierWithWaitList",
    "clGetExtensionFunctionAddressForPlatform",
    "clCreateFromGLTexture",
    "clGetDeviceIDsFromD3D11KHR",
    "clCreateFromD3D11BufferKHR",
    "clCreateFromD3D11Texture2DKHR",
    "clCreateFromD3D11Texture3DKHR",
    "clCreateFromDX9MediaSurfaceKHR",
    "clEnqueueAcquireD3D11ObjectsKHR",
    "clEnqueueReleaseD3D11ObjectsKHR",
    "clGetDeviceIDsFromDX9MediaAdapterKHR",
    "clEnqueueAcquireDX9MediaSurfacesKHR",
    "clEnqueueReleaseDX9MediaSurfacesKHR",
    "clCreateFromEGLImageKHR",
    "clEnqueueAcquireEGLObjectsKHR",
    "clEnqueueReleaseEGLObjectsKHR",
    "clCreateEventFromEGLSyncKHR",
    "clCreateCommandQueueWithProperties",
    "clCreatePipe",
    "clGetPipeInfo",
    "clSVMAlloc",
    "clSVMFree",
    "clEnqueueSVMFree",
    "clEnqueueSVMMemcpy",
    "clEnqueueSVMMemFill",
    "clEnqueueSVMMap",
    "clEnqueueSVMUnmap",
    "clCreateSamplerWithProperties",
    "clSetKernelArgSVMPointer",
    "clSetKernelExecInfo",
    "clGetKernelSubGroupInfoKHR",
    "clCloneKernel",
    "clCreateProgramWithIL",
    "clEnqueueSVMMigrateMem",
    "clGetDeviceAndHostTimer",
    "clGetHostTimer",
    "clGetKernelSubGroupInfo",
    "clSetDefaultDeviceCommandQueue",
    "clSetProgramReleaseCallback",
    "clSetProgramSpecializationConstant",
    "clCreateBufferWithProperties",
    "clCreateImageWithProperties",
    "clSetContextDestructorCallback",
};

struct EnqueuedType {
    std::uint64_t type;
    std::string_view name;
};

constexpr std::array<EnqueuedType, 30> enqueued{{
    {0x11f0, "clEnqueueNDRangeKernel"},
    {0x11f1, "clEnqueueTask"},
    {0x11f2, "clEnqueueNativeKernel"},
    {0x11f3, "clEnqueueReadBuffer"},
    {0x11f4, "clEnqueueWriteBuffer"},
    {0x11f5, "clEnqueueCopyBuffer"},
    {0x11f6, "clEnqueueReadImage"},
    {0x11f7, "clEnqueueWriteImage"},
    {0x11f8, "clEnqueueCopyImage"},
    {0x11f9, "clEnqueueCopyImageToBuffer"},
    {0x11fa, "clEnqueueCopyBufferToImage"},
    {0x11fb, "clEnqueueMapBuffer"},
    {0x11fc, "clEnqueueMapImage"},
    {0x11fd, "clEnqueueUnmapMemObject"},
    {0x11fe, "clEnqueueMarker"},
    {0x11ff, "clEnqueueAcquireGLObjects"},
    {0x1200, "clEnqueueReleaseGLObjects"},
    {0x1201, "clEnqueueReadBufferRect"},
    {0x1202, "clEnqueueWriteBufferRect"},
    {0x1203, "clEnqueueCopyBufferRect"},
    {0x1205, "clEnqueueBarrier"},
    {0x1206, "clEnqueueMigrateMemObjects"},
    {0x1207, "clEnqueueFillBuffer"},
    {0x1208, "clEnqueueFillImage"},
    {0x1209, "clEnqueueSVMFree"},
    {0x120a, "clEnqueueSVMMemcpy"},
    {0x120b, "clEnqueueSVMMemFill"},
    {0x120c, "clEnqueueSVMMap"},
    {0x120d, "clEnqueueSVMUnmap"},
    {0x120e, "clEnqueueSVMMigrateMem"},
}};

constexpr std::uint64_t wait_for_events = 41;
constexpr std::uint64_t finish = 47;
static_assert(functions[wait_for_events] == "clWaitForEvents" && functions[finish] == "clFinish");

} // namespace

std::string_view opencl_function_name(std::uint64_t number)
{
    return number < functions.size() ? functions[number] : std::string_view{};
}

std::string_view opencl_enqueue_name(std::uint64_t command_type)
{
    const auto found = std::ranges::lower_bound(enqueued, command_type, {}, &EnqueuedType::type);
    return found != enqueued.end() && found->type == command_type ? found->name
                                                                  : std::string_view{};
}

bool is_opencl_wait(std::uint64_t function)
{
    return function == wait_for_events || function == finish;
}

} // namespace lttng_gpu::model
