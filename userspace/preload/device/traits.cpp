// SPDX-License-Identifier: MIT
//
// See traits.hpp.
#include "traits.hpp"

#include <stdio.h>
#include <string.h>

#include "twins.hpp"

namespace lttng_gpu::device {

/// cl_nv_device_attribute_query.
static bool has_reductions(cl_device_id device)
{
    constexpr cl_device_info compute_capability_major = 0x4000;
    cl_uint major = 0;
    return next.clGetDeviceInfo(device, compute_capability_major, sizeof(major), &major, nullptr) ==
               CL_SUCCESS &&
           major >= 8;
}

/// Adds the optional features of OpenCL C 3.0 that it has, which are named as extensions are.
static char* with_features(char* extensions, cl_device_id device)
{
    size_t bytes = 0;
    if (next.clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &bytes) != CL_SUCCESS)
        return extensions;
    cl_name_version* features = static_cast<cl_name_version*>(calloc(1, bytes + 1));
    const size_t used = strlen(extensions);
    char* text = static_cast<char*>(realloc(extensions, used + 2 * bytes + 1));
    if (features && text &&
        next.clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, bytes, features, nullptr) ==
            CL_SUCCESS) {
        char* end = text + used;
        for (size_t i = 0; i < bytes / sizeof(*features); ++i)
            end += snprintf(end, sizeof(features->name) + 2, " %.*s", int(sizeof(features->name)),
                            features[i].name);
    }
    free(features);
    return text ? text : extensions;
}

/// Which of these a driver makes a kernel of is the version that it takes.
static const char version_source[] = "#if __OPENCL_C_VERSION__ >= 300\n"
                                     "kernel void v30() {}\n"
                                     "#elif __OPENCL_C_VERSION__ >= 200\n"
                                     "kernel void v20() {}\n"
                                     "#elif __OPENCL_C_VERSION__ >= 120\n"
                                     "kernel void v12() {}\n"
                                     "#else\n"
                                     "kernel void v11() {}\n"
                                     "#endif\n";

/// The device's CL_DEVICE_OPENCL_C_VERSION does not tell: PoCL 3.1 says 1.2 and takes 3.0.
static const char* ask_standard(cl_program program, cl_device_id device)
{
    cl_context context = nullptr;
    cl_int error = CL_SUCCESS;
    const char* source = version_source;
    next.clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof(context),
                          static_cast<void*>(&context), nullptr);
    const cl_program probe = next.clCreateProgramWithSource(context, 1, &source, nullptr, &error);
    if (!probe)
        return "";
    error = next.clBuildProgram(probe, 1, &device, "", nullptr, nullptr);
    char* name = error == CL_SUCCESS
                     ? ask_text(next.clGetProgramInfo, probe, CL_PROGRAM_KERNEL_NAMES)
                     : nullptr;
    const char* found = !name                  ? ""
                        : !strcmp(name, "v30") ? "-cl-std=CL3.0"
                        : !strcmp(name, "v20") ? "-cl-std=CL2.0"
                        : !strcmp(name, "v12") ? "-cl-std=CL1.2"
                        : !strcmp(name, "v11") ? "-cl-std=CL1.1"
                                               : "";
    free(name);
    next.clReleaseProgram(probe);
    return found;
}

namespace {
struct Standard {
    Standard* next;
    cl_device_id device;
    const char* option;
};
} // namespace

/// Asks once for each device.
static const char* standard_of(cl_program program, cl_device_id device)
{
    static Standard* known;
    {
        const Lock lock;
        for (const Standard* one = known; one; one = one->next) {
            if (one->device == device)
                return one->option;
        }
    }
    const char* option = ask_standard(program, device);
    const Lock lock;
    if (Standard* made = static_cast<Standard*>(calloc(1, sizeof(Standard)))) {
        *made = {known, device, option};
        known = made;
    }
    return option;
}

Traits traits_of(cl_program program, cl_device_id device, bool has_standard)
{
    Traits traits = {ask_text(next.clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS),
                     has_standard ? "" : standard_of(program, device),
                     {}};
    if (!traits.extensions)
        return traits;
    // Its OpenCL C has PTX within.
    traits.warps.are_there = strstr(traits.extensions, "cl_nv_");
    traits.warps.have_reductions = traits.warps.are_there && has_reductions(device);
    traits.extensions = with_features(traits.extensions, device);
    return traits;
}

bool are_same(const Traits& one, const Traits& other)
{
    return one.extensions && other.extensions && !strcmp(one.extensions, other.extensions) &&
           !strcmp(one.standard, other.standard) && one.warps.are_there == other.warps.are_there &&
           one.warps.have_reductions == other.warps.have_reductions;
}

} // namespace lttng_gpu::device
