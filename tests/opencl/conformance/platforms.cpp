// SPDX-License-Identifier: MIT
//
// Platforms, devices and sub-devices.
#include "sections.hpp"

#include <string>

namespace conformance {

namespace {

void platform_ids()
{
    cl_uint count = 0;
    CALL("how many", clGetPlatformIDs, 0, nullptr, &count);
    line("%u platforms", count);
    cl_platform_id platform = nullptr;
    CALL("the first", clGetPlatformIDs, 1, &platform, nullptr);
    line("%s", platform ? "a platform" : "none");
    CALL("no room", clGetPlatformIDs, 0, &platform, nullptr);
    CALL("nothing asked", clGetPlatformIDs, 0, nullptr, nullptr);
}

void platform_texts(cl_platform_id platform)
{
    for (cl_platform_info name : {CL_PLATFORM_PROFILE, CL_PLATFORM_VERSION, CL_PLATFORM_NAME,
                                  CL_PLATFORM_VENDOR, CL_PLATFORM_EXTENSIONS}) {
        char text[4096] = "";
        size_t size = 0;
        CALL("a text", clGetPlatformInfo, platform, name, sizeof text, text, &size);
        line("%x: %s, %zu", name, text, size);
        CALL("its size", clGetPlatformInfo, platform, name, 0, nullptr, &size);
        CALL("no room", clGetPlatformInfo, platform, name, 1, text, &size);
    }
    INFO(cl_ulong, "timer resolution", clGetPlatformInfo, platform,
         CL_PLATFORM_HOST_TIMER_RESOLUTION);
    INFO(cl_uint, "no such name", clGetPlatformInfo, platform, 0xdead);
}

void device_ids(const Device& device)
{
    for (cl_device_type type :
         {cl_device_type(CL_DEVICE_TYPE_CPU), cl_device_type(CL_DEVICE_TYPE_GPU),
          cl_device_type(CL_DEVICE_TYPE_ACCELERATOR), cl_device_type(CL_DEVICE_TYPE_DEFAULT),
          cl_device_type(CL_DEVICE_TYPE_ALL), cl_device_type(1 << 20), cl_device_type(0)}) {
        cl_uint count = 777;
        CALL("how many", clGetDeviceIDs, device.platform, type, 0, nullptr, &count);
        line("type %llx: %u", (unsigned long long)type, count);
    }
    cl_device_id found = nullptr;
    CALL("the first", clGetDeviceIDs, device.platform, CL_DEVICE_TYPE_ALL, 1, &found, nullptr);
    line("%s", found == device.device ? "the same device" : "another device");
    CALL("no room", clGetDeviceIDs, device.platform, CL_DEVICE_TYPE_ALL, 0, &found, nullptr);
    CALL("nothing asked", clGetDeviceIDs, device.platform, CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr);
}

void device_infos(cl_device_id device)
{
    // Every information of OpenCL 3.0 and a few that are none; by content where it is not an
    // address.
    for (cl_device_info name = CL_DEVICE_TYPE; name <= 0x1074; ++name) {
        unsigned char value[8192] = {};
        size_t size = 0;
        called("clGetDeviceInfo");
        const cl_int result = clGetDeviceInfo(device, name, sizeof value, value, &size);
        const bool is_address = name == CL_DEVICE_PLATFORM || name == CL_DEVICE_PARENT_DEVICE ||
                                name == CL_DEVICE_REFERENCE_COUNT;
        // Frequency and free memory may change while we run.
        const bool is_volatile = name == CL_DEVICE_MAX_CLOCK_FREQUENCY;
        if (result != CL_SUCCESS)
            line("information %x: %d", name, result);
        else if (is_address || is_volatile)
            line("information %x: %zu bytes", name, size);
        else
            line("information %x: %s", name, digest(value, size).c_str());
    }
    size_t size = 0;
    cl_uint value = 0;
    CALL("size only", clGetDeviceInfo, device, CL_DEVICE_NAME, 0, nullptr, &size);
    CALL("no room", clGetDeviceInfo, device, CL_DEVICE_NAME, 1, &value, &size);
    INFO(cl_command_queue_properties, "host queue properties", clGetDeviceInfo, device,
         CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
    INFO(size_t, "timer resolution", clGetDeviceInfo, device, CL_DEVICE_PROFILING_TIMER_RESOLUTION);
}

void device_timers(cl_device_id device)
{
    cl_ulong device_time = 0, host_time = 0;
    const cl_int both = CALL("both", clGetDeviceAndHostTimer, device, &device_time, &host_time);
    CALL("host's", clGetHostTimer, device, &host_time);
    CALL("nowhere to store", clGetDeviceAndHostTimer, device, nullptr, nullptr);
    CALL("nowhere to store", clGetHostTimer, device, nullptr);
    line("timers %s", both == CL_SUCCESS && device_time != 0 ? "run" : "do not run");
}

void sub_devices(cl_device_id device)
{
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_uint count = 0;
    CALL("how many", clCreateSubDevices, device, equally, 0, nullptr, &count);
    line("%s", count > 0 ? "some" : "none");
    const cl_device_partition_property counted[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                    CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_id part = nullptr;
    if (CALL("one of one unit", clCreateSubDevices, device, counted, 1, &part, nullptr) ==
        CL_SUCCESS) {
        INFO(cl_uint, "references", clGetDeviceInfo, part, CL_DEVICE_REFERENCE_COUNT);
        INFO(cl_uint, "units", clGetDeviceInfo, part, CL_DEVICE_MAX_COMPUTE_UNITS);
        CALL("once more", clRetainDevice, part);
        INFO(cl_uint, "references", clGetDeviceInfo, part, CL_DEVICE_REFERENCE_COUNT);
        CALL("back", clReleaseDevice, part);
        cl_device_id parent = nullptr;
        CALL("parent", clGetDeviceInfo, part, CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent,
             nullptr);
        line("%s", parent == device ? "its parent" : "another parent");
        CALL("last", clReleaseDevice, part);
    }
    const cl_device_partition_property bad[] = {0x7777, 1, 0};
    CALL("no such property", clCreateSubDevices, device, bad, 0, nullptr, &count);
    CALL("no properties", clCreateSubDevices, device, nullptr, 0, nullptr, &count);
    CALL("a root device", clRetainDevice, device);
    CALL("a root device", clReleaseDevice, device);
}

} // namespace

void platforms(const Device& device)
{
    platform_ids();
    platform_texts(device.platform);
    device_ids(device);
    device_infos(device.device);
    CALL("no device", clGetDeviceInfo, nullptr, CL_DEVICE_TYPE, 0, nullptr, nullptr);
    CALL("no device", clRetainDevice, nullptr);
    CALL("no device", clReleaseDevice, nullptr);
    CALL("no device", clCreateSubDevices, nullptr, nullptr, 0, nullptr, nullptr);
    device_timers(device.device);
    sub_devices(device.device);
    CALL("the platform's", clUnloadPlatformCompiler, device.platform);
    CALL("of no platform", clUnloadPlatformCompiler, nullptr);
    called("clUnloadCompiler");
    line("clUnloadCompiler: %d", clUnloadCompiler());
}

} // namespace conformance
