// SPDX-License-Identifier: MIT
//
// Which extension functions a program is given, and those of cl_ext_device_fission and
// cl_khr_sub_groups.
#include "sections.hpp"

namespace conformance {

namespace {

const char* const names[] = {
    "clGetPlatformInfo",
    "clIcdGetPlatformIDsKHR",
    "clCreateCommandQueueWithPropertiesKHR",
    "clCreateProgramWithILKHR",
    "clCreateSubDevicesEXT",
    "clEnqueueMigrateMemObjectEXT",
    "clEnqueueMemcpyINTEL",
    "clEnqueueSVMMemcpyARM",
    "clEnqueueSignalSemaphoresKHR",
    "clEnqueueWaitSemaphoresKHR",
    "clGetGLContextInfoKHR",
    "clGetKernelSubGroupInfoKHR",
    "clGetKernelSuggestedLocalWorkSizeKHR",
    "clHostMemAllocINTEL",
    "clReleaseDeviceEXT",
    "clSetMemObjectDestructorAPPLE",
    "clSetContentSizeBufferPoCL",
    "clTerminateContextKHR",
    "clUpdateMutableCommandsKHR",
    "clNoSuchFunctionXYZ",
    "",
};

void addresses(cl_platform_id platform)
{
    for (const char* name : names) {
        called("clGetExtensionFunctionAddressForPlatform");
        const bool is_there = clGetExtensionFunctionAddressForPlatform(platform, name);
        called("clGetExtensionFunctionAddress");
        line("\"%s\": %s, without platform %s", name, is_there ? "there" : "not there",
             clGetExtensionFunctionAddress(name) ? "there" : "not there");
    }
    line("no platform: %s",
         clGetExtensionFunctionAddressForPlatform(nullptr, "clCreateSubDevicesEXT") ? "there"
                                                                                    : "not there");
}

void fission(const Device& device, const cl_icd_dispatch& table)
{
    CALL("no device", clCreateSubDevicesEXT, nullptr, nullptr, 0, nullptr, nullptr);
    CALL("no device", clRetainDeviceEXT, nullptr);
    CALL("no device", clReleaseDeviceEXT, nullptr);
    if (!table.clCreateSubDevicesEXT)
        return;
    const cl_device_partition_property_ext list[] = {0x4050, 1, 0};
    cl_uint count = 0;
    CALL("equally", clCreateSubDevicesEXT, device.device, list, 0, nullptr, &count);
    CALL("a device", clRetainDeviceEXT, device.device);
    CALL("a device", clReleaseDeviceEXT, device.device);
}

void sub_groups(const Device& device, const cl_icd_dispatch& table)
{
    size_t value = 777;
    CALL("no kernel", clGetKernelSubGroupInfoKHR, nullptr, nullptr, 0, 0, nullptr, sizeof value,
         &value, nullptr);
    if (!table.clGetKernelSubGroupInfoKHR)
        return;
    const Context context(device);
    cl_program program = context.program("kernel void nothing(void) {}\n");
    cl_kernel kernel = MAKE("nothing", clCreateKernel, program, "nothing");
    const size_t group = 8;
    CALL("of eight", clGetKernelSubGroupInfoKHR, kernel, device.device,
         CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, sizeof group, &group, sizeof value, &value,
         nullptr);
    CALL("last", clReleaseKernel, kernel);
    CALL("last", clReleaseProgram, program);
}

} // namespace

void extensions(const Device& device)
{
    const auto& table = **reinterpret_cast<cl_icd_dispatch* const*>(device.platform);
    addresses(device.platform);
    fission(device, table);
    sub_groups(device, table);
}

} // namespace conformance
