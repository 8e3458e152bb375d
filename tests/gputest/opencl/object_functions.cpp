// SPDX-License-Identifier: MIT
// The OpenCL functions about platforms, devices and what is made from them.
#include "commands.hpp"

namespace lttng_gpu::gputest {
namespace {

cl_int CL_API_CALL platform_info(cl_platform_id, cl_platform_info what, std::size_t room,
                                 void* place, std::size_t* needed)
{
    switch (what) {
    case CL_PLATFORM_PROFILE:
        return answer_text("FULL_PROFILE", room, place, needed);
    case CL_PLATFORM_VERSION:
        return answer_text("OpenCL 1.2 gputest", room, place, needed);
    case CL_PLATFORM_NAME:
    case CL_PLATFORM_VENDOR:
        return answer_text("gputest", room, place, needed);
    case CL_PLATFORM_EXTENSIONS:
        return answer_text("cl_khr_icd", room, place, needed);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return answer_text("gputest", room, place, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL device_ids(cl_platform_id platform, cl_device_type type, cl_uint room,
                              cl_device_id* devices, cl_uint* count)
{
    if ((type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)) == 0)
        return CL_DEVICE_NOT_FOUND;
    if (count != nullptr)
        *count = static_cast<cl_uint>(platform->devices.size());
    for (cl_uint i = 0;
         devices != nullptr && i < std::min<std::size_t>(room, platform->devices.size()); ++i)
        devices[i] = platform->devices[i].get();
    return CL_SUCCESS;
}

cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info what, std::size_t room,
                               void* place, std::size_t* needed)
{
    switch (what) {
    case CL_DEVICE_TYPE:
        return answer_value(cl_device_type{CL_DEVICE_TYPE_GPU}, room, place, needed);
    case CL_DEVICE_NAME:
        return answer_text(device->info.device, room, place, needed);
    case CL_DEVICE_VENDOR:
        return answer_text("gputest", room, place, needed);
    case CL_DRIVER_VERSION:
        return answer_text("1", room, place, needed);
    case CL_DEVICE_VERSION:
        return answer_text("OpenCL 1.2 gputest", room, place, needed);
    case CL_DEVICE_EXTENSIONS:
        return answer_text("", room, place, needed);
    case CL_DEVICE_PLATFORM:
        return answer_value(device->platform, room, place, needed);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION:
        return answer_value(std::size_t{has_device_times() ? 1U : 0U}, room, place, needed);
    case CL_DEVICE_PARENT_DEVICE:
        return answer_value(cl_device_id{nullptr}, room, place, needed);
    case CL_DEVICE_QUEUE_PROPERTIES:
        return answer_value(cl_command_queue_properties{CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE} |
                                (has_device_times() ? CL_QUEUE_PROFILING_ENABLE : 0),
                            room, place, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL same_device(cl_device_id)
{
    return CL_SUCCESS;
}

cl_context CL_API_CALL create_context(
    const cl_context_properties*, cl_uint count, const cl_device_id* devices,
    void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*), void*, cl_int* error)
{
    return made(count == 1 ? new _cl_context(devices[0]) : nullptr, error);
}

cl_int CL_API_CALL context_info(cl_context context, cl_context_info what, std::size_t room,
                                void* place, std::size_t* needed)
{
    switch (what) {
    case CL_CONTEXT_DEVICES:
        return answer_value(context->device, room, place, needed);
    case CL_CONTEXT_NUM_DEVICES:
        return answer_value(cl_uint{1}, room, place, needed);
    case CL_CONTEXT_REFERENCE_COUNT:
        return answer_value(context->references.load(), room, place, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                          cl_command_queue_properties properties, cl_int* error)
{
    if ((properties & CL_QUEUE_PROFILING_ENABLE) != 0 && !has_device_times()) {
        if (error != nullptr)
            *error = CL_INVALID_QUEUE_PROPERTIES;
        return nullptr;
    }
    return made(device == context->device ? new _cl_command_queue(context, properties) : nullptr,
                error);
}

cl_int CL_API_CALL queue_info(cl_command_queue queue, cl_command_queue_info what, std::size_t room,
                              void* place, std::size_t* needed)
{
    switch (what) {
    case CL_QUEUE_CONTEXT:
        return answer_value(queue->context, room, place, needed);
    case CL_QUEUE_DEVICE:
        return answer_value(queue->device, room, place, needed);
    case CL_QUEUE_PROPERTIES:
        return answer_value(queue->properties, room, place, needed);
    case CL_QUEUE_REFERENCE_COUNT:
        return answer_value(queue->references.load(), room, place, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, std::size_t size, void*,
                                 cl_int* error)
{
    return made(new _cl_mem(context, flags, size), error);
}

cl_int CL_API_CALL memory_info(cl_mem memory, cl_mem_info what, std::size_t room, void* place,
                               std::size_t* needed)
{
    switch (what) {
    case CL_MEM_TYPE:
        return answer_value(cl_mem_object_type{CL_MEM_OBJECT_BUFFER}, room, place, needed);
    case CL_MEM_FLAGS:
        return answer_value(memory->flags, room, place, needed);
    case CL_MEM_SIZE:
        return answer_value(memory->bytes.size(), room, place, needed);
    case CL_MEM_CONTEXT:
        return answer_value(memory->context, room, place, needed);
    case CL_MEM_REFERENCE_COUNT:
        return answer_value(memory->references.load(), room, place, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_program CL_API_CALL create_program(cl_context context, cl_uint, const char**, const std::size_t*,
                                      cl_int* error)
{
    return made(new _cl_program(context), error);
}

cl_int CL_API_CALL build_program(cl_program, cl_uint, const cl_device_id*, const char*,
                                 void(CL_CALLBACK*)(cl_program, void*), void*)
{
    return CL_SUCCESS;
}

cl_int CL_API_CALL program_info(cl_program program, cl_program_info what, std::size_t room,
                                void* place, std::size_t* needed)
{
    return what == CL_PROGRAM_CONTEXT ? answer_value(program->context, room, place, needed)
                                      : CL_INVALID_VALUE;
}

cl_kernel CL_API_CALL create_kernel(cl_program program, const char* name, cl_int* error)
{
    return made(new _cl_kernel(program, name), error);
}

cl_int CL_API_CALL set_kernel_arg(cl_kernel, cl_uint, std::size_t, const void*)
{
    return CL_SUCCESS;
}

cl_int CL_API_CALL kernel_info(cl_kernel kernel, cl_kernel_info what, std::size_t room, void* place,
                               std::size_t* needed)
{
    switch (what) {
    case CL_KERNEL_FUNCTION_NAME:
        return answer_text(kernel->name, room, place, needed);
    case CL_KERNEL_PROGRAM:
        return answer_value(kernel->program, room, place, needed);
    case CL_KERNEL_CONTEXT:
        return answer_value(kernel->program->context, room, place, needed);
    default:
        return CL_INVALID_VALUE;
    }
}

} // namespace

void fill_object_functions(cl_icd_dispatch& table)
{
    table.clGetPlatformInfo = platform_info;
    table.clGetDeviceIDs = device_ids;
    table.clGetDeviceInfo = device_info;
    table.clRetainDevice = same_device;
    table.clReleaseDevice = same_device;
    table.clCreateContext = create_context;
    table.clRetainContext = retain_object<_cl_context>;
    table.clReleaseContext = release_object<_cl_context>;
    table.clGetContextInfo = context_info;
    table.clCreateCommandQueue = create_queue;
    table.clGetCommandQueueInfo = queue_info;
    table.clCreateBuffer = create_buffer;
    table.clRetainMemObject = retain_object<_cl_mem>;
    table.clReleaseMemObject = release_object<_cl_mem>;
    table.clGetMemObjectInfo = memory_info;
    table.clCreateProgramWithSource = create_program;
    table.clRetainProgram = retain_object<_cl_program>;
    table.clReleaseProgram = release_object<_cl_program>;
    table.clBuildProgram = build_program;
    table.clGetProgramInfo = program_info;
    table.clCreateKernel = create_kernel;
    table.clRetainKernel = retain_object<_cl_kernel>;
    table.clReleaseKernel = release_object<_cl_kernel>;
    table.clSetKernelArg = set_kernel_arg;
    table.clGetKernelInfo = kernel_info;
}

} // namespace lttng_gpu::gputest
