// SPDX-License-Identifier: MIT
//
// A driver (ICD) that does not do what $REFUSING_DRIVER names, for kernels that have the recorder
// in them: build, kernel (clCreateKernel), argument (clSetKernelArg), fits (CL_OUT_OF_RESOURCES),
// size (CL_INVALID_WORK_GROUP_SIZE), launch (another error), callback (clSetEventCallback) and
// memory (a buffer of 1 MiB or more). PoCL does the rest. It has programs from IL, too, which are
// PoCL's binaries, and functions of extensions that set an argument: the memory object whose handle
// the pointer is.
#include "opencl/driver/wrapped_pocl.hpp"

#include <set>
#include <string>

namespace {

std::mutex lock;
std::set<const void*> twins; // programs and kernels

bool refuses(const char* what)
{
    const char* wanted = std::getenv("REFUSING_DRIVER");
    return wanted != nullptr && std::strcmp(what, wanted) == 0;
}

bool is_twin(const void* object)
{
    const std::lock_guard guard{lock};
    return twins.count(object) != 0;
}

void note(const void* object, bool is)
{
    const std::lock_guard guard{lock};
    is ? void(twins.insert(object)) : void(twins.erase(object)); // handles come again
}

cl_program CL_API_CALL make_program(cl_context context, cl_uint count, const char** texts,
                                    const size_t* lengths, cl_int* error)
{
    cl_program program = driver.clCreateProgramWithSource(context, count, texts, lengths, error);
    const bool has_length = lengths != nullptr && lengths[0] != 0;
    const std::string text = has_length ? std::string{texts[0], lengths[0]} : texts[0];
    note(program, text.find("lttng_gpu_begin") != std::string::npos);
    return program;
}

cl_program CL_API_CALL make_from_il(cl_context context, const void* il, size_t length,
                                    cl_int* error)
{
    cl_device_id device = nullptr;
    const auto* binary = static_cast<const unsigned char*>(il);
    driver.clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof(device), &device, nullptr);
    return driver.clCreateProgramWithBinary(context, 1, &device, &length, &binary, nullptr, error);
}

cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id* devices,
                         const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                         void* data)
{
    // The log is a compiler's own.
    const bool is_refused = is_twin(program) && refuses("build");
    return driver.clBuildProgram(program, count, devices,
                                 is_refused ? "-Dvolatile=unknown" : options, notify, data);
}

cl_kernel CL_API_CALL make_kernel(cl_program program, const char* name, cl_int* error)
{
    if (is_twin(program) && refuses("kernel")) {
        *error = CL_OUT_OF_HOST_MEMORY;
        return nullptr;
    }
    cl_kernel kernel = driver.clCreateKernel(program, name, error);
    note(kernel, is_twin(program));
    return kernel;
}

cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint number, size_t bytes, const void* value)
{
    if (is_twin(kernel) && number == 1 && refuses("argument"))
        return CL_OUT_OF_RESOURCES;
    return driver.clSetKernelArg(kernel, number, bytes, value);
}

cl_int CL_API_CALL set_pointer(cl_kernel kernel, cl_uint number, const void* value)
{
    return driver.clSetKernelArg(kernel, number, sizeof(value), &value);
}

cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                          const size_t* offset, const size_t* global, const size_t* local,
                          cl_uint waits_count, const cl_event* waits, cl_event* event)
{
    if (is_twin(kernel) && refuses("fits"))
        return CL_OUT_OF_RESOURCES;
    if (is_twin(kernel) && refuses("size"))
        return CL_INVALID_WORK_GROUP_SIZE;
    if (is_twin(kernel) && refuses("launch"))
        return CL_OUT_OF_HOST_MEMORY;
    return driver.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
                                         waits_count, waits, event);
}

cl_int CL_API_CALL watch_event(cl_event event, cl_int status,
                               void(CL_CALLBACK* callback)(cl_event, cl_int, void*), void* data)
{
    return refuses("callback") ? CL_OUT_OF_RESOURCES
                               : driver.clSetEventCallback(event, status, callback, data);
}

cl_mem CL_API_CALL make_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host,
                               cl_int* error)
{
    if (bytes >= size_t{1} << 20 && refuses("memory")) {
        *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return nullptr;
    }
    return driver.clCreateBuffer(context, flags, bytes, host, error);
}

void* CL_API_CALL find_extension(cl_platform_id platform, const char* name)
{
    if (std::strcmp(name, "clSetKernelArgMemPointerINTEL") == 0 ||
        std::strcmp(name, "clSetKernelArgOddTEST") == 0)
        return reinterpret_cast<void*>(set_pointer);
    return driver.clGetExtensionFunctionAddressForPlatform(platform, name);
}

void replace_entries(cl_icd_dispatch& table)
{
    table.clCreateProgramWithSource = make_program;
    table.clCreateProgramWithIL = make_from_il;
    table.clBuildProgram = build;
    table.clCreateKernel = make_kernel;
    table.clSetKernelArg = set_argument;
    table.clEnqueueNDRangeKernel = launch;
    table.clSetEventCallback = watch_event;
    table.clCreateBuffer = make_buffer;
    table.clGetExtensionFunctionAddressForPlatform = find_extension;
}

} // namespace
