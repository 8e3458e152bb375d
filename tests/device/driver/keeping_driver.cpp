// SPDX-License-Identifier: MIT
//
// A driver (ICD) that keeps what it built for each device when a program is built for another one,
// as OpenCL allows. PoCL 3.1, which does the rest, forgets it. A program's first build is its own
// in PoCL, and each later one for other devices is another program of PoCL's; kernels likewise.
#include "opencl/driver/wrapped_pocl.hpp"

#include <map>
#include <string>

namespace {

std::recursive_mutex lock;
std::map<cl_program, std::map<cl_device_id, cl_program>> builds;
std::map<cl_kernel, std::map<cl_device_id, cl_kernel>> kernels;

cl_program program_for(cl_program program, cl_device_id device)
{
    auto& known = builds[program];
    if (known.empty() || known.count(device) != 0)
        return known.empty() ? program : known[device];
    size_t bytes = 0;
    cl_context context = nullptr;
    driver.clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &bytes);
    std::string source(bytes, '\0');
    driver.clGetProgramInfo(program, CL_PROGRAM_SOURCE, bytes, source.data(), nullptr);
    driver.clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof(context), &context, nullptr);
    const char* text = source.c_str();
    return driver.clCreateProgramWithSource(context, 1, &text, nullptr, nullptr);
}

cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id* devices,
                         const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                         void* data)
{
    const std::lock_guard guard{lock};
    if (count != 1) {
        const cl_int error = driver.clBuildProgram(program, count, devices, options, notify, data);
        for (cl_uint number = 0; error == CL_SUCCESS && number < count; ++number)
            builds[program][devices[number]] = program;
        return error;
    }
    const cl_program own = program_for(program, devices[0]);
    const cl_int error = driver.clBuildProgram(own, 1, devices, options, notify, data);
    if (error == CL_SUCCESS)
        builds[program][devices[0]] = own;
    return error;
}

cl_int CL_API_CALL tell_build(cl_program program, cl_device_id device, cl_program_build_info what,
                              size_t bytes, void* value, size_t* told)
{
    const std::lock_guard guard{lock};
    const auto known = builds.find(program);
    if (known == builds.end())
        return driver.clGetProgramBuildInfo(program, device, what, bytes, value, told);
    const auto own = known->second.find(device);
    if (own != known->second.end())
        return driver.clGetProgramBuildInfo(own->second, device, what, bytes, value, told);
    if (what != CL_PROGRAM_BUILD_STATUS || bytes < sizeof(cl_build_status))
        return CL_INVALID_VALUE;
    *static_cast<cl_build_status*>(value) = CL_BUILD_NONE;
    return CL_SUCCESS;
}

cl_kernel CL_API_CALL make_kernel(cl_program program, const char* name, cl_int* error)
{
    const std::lock_guard guard{lock};
    const cl_kernel kernel = driver.clCreateKernel(program, name, error);
    if (kernel == nullptr)
        return nullptr;
    std::map<cl_program, cl_kernel> made{{program, kernel}};
    auto& own = kernels[kernel]; // handles come again
    own.clear();
    for (const auto& [device, built] : builds[program]) {
        if (made.count(built) == 0)
            made[built] = driver.clCreateKernel(built, name, error);
        own[device] = made[built];
    }
    return kernel;
}

cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint number, size_t bytes, const void* value)
{
    const std::lock_guard guard{lock};
    cl_int error = driver.clSetKernelArg(kernel, number, bytes, value);
    for (const auto& [device, own] : kernels[kernel]) {
        if (own != kernel && error == CL_SUCCESS)
            error = driver.clSetKernelArg(own, number, bytes, value);
    }
    return error;
}

cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                          const size_t* offset, const size_t* global, const size_t* size,
                          cl_uint waits_count, const cl_event* waits, cl_event* event)
{
    const std::lock_guard guard{lock};
    cl_device_id device = nullptr;
    driver.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(device), &device, nullptr);
    const auto& own = kernels[kernel];
    const auto found = own.find(device);
    if (found == own.end())
        return CL_INVALID_PROGRAM_EXECUTABLE;
    return driver.clEnqueueNDRangeKernel(queue, found->second, dimensions, offset, global, size,
                                         waits_count, waits, event);
}

/// What it lends to others stays until the process ends.
cl_int CL_API_CALL keep_kernel(cl_kernel)
{
    return CL_SUCCESS;
}

cl_int CL_API_CALL keep_program(cl_program)
{
    return CL_SUCCESS;
}

void replace_entries(cl_icd_dispatch& table)
{
    table.clBuildProgram = build;
    table.clGetProgramBuildInfo = tell_build;
    table.clCreateKernel = make_kernel;
    table.clSetKernelArg = set_argument;
    table.clEnqueueNDRangeKernel = launch;
    table.clReleaseKernel = keep_kernel;
    table.clReleaseProgram = keep_program;
}

} // namespace
