// SPDX-License-Identifier: MIT
// An OpenCL driver (ICD) on the test GPU driver: as much of OpenCL 1.2 as submits jobs and waits
// for them. It is there to see API calls and jobs of the kernel in one trace, where no GPU is at
// hand whose OpenCL driver makes jobs. Functions that it lacks are null in its table.
#include "commands.hpp"
#include "submitter.hpp"

#include <cstring>
#include <filesystem>

namespace lttng_gpu::gputest {

cl_icd_dispatch dispatch_table;

cl_int answer(const void* value, std::size_t size, std::size_t room, void* place,
              std::size_t* size_needed)
{
    if (size_needed != nullptr)
        *size_needed = size;
    if (place == nullptr)
        return CL_SUCCESS;
    if (room < size)
        return CL_INVALID_VALUE;
    std::memcpy(place, value, size);
    return CL_SUCCESS;
}

namespace {

void find_devices(_cl_platform_id& platform)
{
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/dri", ignored)) {
        if (!entry.path().filename().string().starts_with("renderD"))
            continue;
        try {
            if (DeviceFile(entry.path()).is_gputest())
                platform.devices.push_back(
                    std::make_unique<_cl_device_id>(&platform, entry.path()));
        } catch (const std::system_error&) {
            // not for this user
        }
    }
    std::ranges::sort(platform.devices, {},
                      [](const auto& device) { return std::string_view(device->info.device); });
}

/// Lives until the process ends: applications release nothing of it.
_cl_platform_id& the_platform()
{
    static auto& platform = *[] {
        fill_object_functions(dispatch_table);
        fill_command_functions(dispatch_table);
        auto* made = new _cl_platform_id;
        find_devices(*made);
        return made;
    }();
    return platform;
}

cl_int CL_API_CALL platform_ids(cl_uint room, cl_platform_id* platforms, cl_uint* count)
{
    if (the_platform().devices.empty())
        return CL_PLATFORM_NOT_FOUND_KHR;
    if (count != nullptr)
        *count = 1;
    if (platforms != nullptr && room > 0)
        platforms[0] = &the_platform();
    return CL_SUCCESS;
}

} // namespace
} // namespace lttng_gpu::gputest

#pragma GCC visibility push(default)
extern "C" {

cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id* platforms, cl_uint* count)
{
    return lttng_gpu::gputest::platform_ids(room, platforms, count);
}

cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what,
                                     std::size_t room, void* place, std::size_t* needed)
{
    return lttng_gpu::gputest::dispatch_table.clGetPlatformInfo(platform, what, room, place,
                                                                needed);
}

void* CL_API_CALL clGetExtensionFunctionAddress(const char* name)
{
    return std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0
               ? reinterpret_cast<void*>(clIcdGetPlatformIDsKHR)
           : std::strcmp(name, "clGetPlatformInfo") == 0
               ? reinterpret_cast<void*>(clGetPlatformInfo)
               : nullptr;
}
}
#pragma GCC visibility pop
