// SPDX-License-Identifier: MIT
//
// What devices are, told again every second while they are used.
#include <stdlib.h>

#include "objects.hpp"
#include "runtime/clock.hpp"
#include "runtime/handle_table.hpp"
#include "tables.hpp"
#include "watches.hpp"

namespace lttng_gpu::opencl {

struct KnownDevice {
    uint64_t described_ns;
    bool has_no_clock; ///< clGetDeviceAndHostTimer failed, and is not asked again
};

static HandleTable<KnownDevice> devices;

/// Cut to its room. Empty where the driver does not answer.
struct Text {
    template <class Function, class Object> Text(Function function, Object object, cl_uint what)
    {
        size_t bytes = 0;
        if (function(object, what, 0, nullptr, &bytes) != CL_SUCCESS || !bytes)
            return;
        char* all = bytes > sizeof(text) ? static_cast<char*>(malloc(bytes)) : text;
        if (!all)
            return;
        if (function(object, what, bytes, all, nullptr) != CL_SUCCESS)
            all[0] = 0;
        if (all != text) {
            __builtin_memcpy(text, all, sizeof(text) - 1);
            free(all);
        }
        text[sizeof(text) - 1] = 0;
    }
    char text[256] = {};
};

/// Drivers older than OpenCL 2.1 leave that place of their table empty, and the loader jumps to it
/// all the same. The version is said as "OpenCL MAJOR.MINOR ...".
static bool has_timer(cl_device_id device)
{
    static const char prefix[] = "OpenCL ";
    const Text version(core().clGetDeviceInfo, device, CL_DEVICE_VERSION);
    if (__builtin_strncmp(version.text, prefix, sizeof(prefix) - 1) != 0)
        return false;
    char* end = nullptr;
    const unsigned long major = strtoul(version.text + sizeof(prefix) - 1, &end, 10);
    const unsigned long minor = *end == '.' ? strtoul(end + 1, nullptr, 10) : 0;
    return major > 2 || (major == 2 && minor >= 1);
}

static void read_clock(cl_device_id device)
{
    if (!EVENT_ENABLED(device_clock))
        return;
    const auto timer = has_timer(device) ? core().clGetDeviceAndHostTimer : nullptr;
    cl_ulong device_time = 0, host_time = 0;
    const uint64_t before = read_clock_ns();
    const bool works = timer && timer(device, &device_time, &host_time) == CL_SUCCESS;
    const uint64_t after = read_clock_ns();
    if (!works) {
        devices.with(device, [](KnownDevice& known) { known.has_no_clock = true; });
        return;
    }
    const lttng_gpu_opencl_device_clock record = {handle(device), device_time, before, after};
    events.device_clock(&record);
}

template <class Value> static Value ask(cl_device_id device, cl_device_info what)
{
    Value value = {};
    return core().clGetDeviceInfo(device, what, sizeof(value), &value, nullptr) == CL_SUCCESS
               ? value
               : Value{};
}

static void write_device(cl_device_id device)
{
    const auto& info = core().clGetDeviceInfo;
    const auto platform = ask<cl_platform_id>(device, CL_DEVICE_PLATFORM);
    const Text name(info, device, CL_DEVICE_NAME), vendor(info, device, CL_DEVICE_VENDOR),
        version(info, device, CL_DRIVER_VERSION),
        platform_name(core().clGetPlatformInfo, platform, CL_PLATFORM_NAME);
    const lttng_gpu_opencl_device record = {
        handle(device),
        handle(platform),
        handle(ask<cl_device_id>(device, CL_DEVICE_PARENT_DEVICE)),
        ask<cl_device_type>(device, CL_DEVICE_TYPE),
        name.text,
        vendor.text,
        version.text,
        platform_name.text,
        ask<size_t>(device, CL_DEVICE_PROFILING_TIMER_RESOLUTION)};
    events.device(&record);
}

void describe_device(cl_device_id device, uint64_t now, uint64_t pause_ns)
{
    bool is_recent = false, has_no_clock = false;
    const bool is_known = devices.with(device, [&](KnownDevice& known) {
        is_recent = int64_t(now - known.described_ns) < int64_t(pause_ns);
        has_no_clock = known.has_no_clock;
        if (!is_recent)
            known.described_ns = now;
    });
    if (is_recent)
        return;
    if (!is_known)
        devices.set(device, {now, false});
    if (EVENT_ENABLED(device))
        write_device(device);
    if (!has_no_clock)
        read_clock(device);
}

void forget_devices()
{
    devices.clear();
}

void lock_devices()
{
    devices.lock_all();
}

void unlock_devices()
{
    devices.unlock_all();
}

} // namespace lttng_gpu::opencl
