// SPDX-License-Identifier: MIT
#include <dlfcn.h>
#include <unistd.h>

#include "device.hpp"
#include "runtime/provider_library.hpp"

namespace lttng_gpu::device {

static const int never = 0;

#define DISABLED(name) &never, [](const lttng_gpu_devicetrace_##name*) {},
lttng_gpu_devicetrace_provider events = {LTTNG_GPU_DEVICETRACE_EVENTS(DISABLED)};

void attach_provider()
{
    static bool is_done = false;
    if (__atomic_exchange_n(&is_done, true, __ATOMIC_ACQ_REL))
        return;
    void* library = open_provider_library("liblttng-gpu-device-provider.so");
    if (!library)
        return;
    const auto find = reinterpret_cast<lttng_gpu_devicetrace_provider_function*>(
        dlsym(library, "lttng_gpu_devicetrace_provider"));
    const lttng_gpu_devicetrace_provider* provider =
        find ? find(LTTNG_GPU_DEVICETRACE_RECORDS_VERSION) : nullptr;
    if (provider)
        events = *provider;
}

uint64_t new_number()
{
    static uint32_t last = 0;
    return uint64_t(getpid()) << 32 | __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

void tell_untraced(uint64_t program, const char* reason, const char* name)
{
    const lttng_gpu_devicetrace_untraced record = {program, reason, name};
    events.untraced(&record);
}

} // namespace lttng_gpu::device
