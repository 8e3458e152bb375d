// SPDX-License-Identifier: MIT
#include <unistd.h>

#include "device.hpp"
#include "runtime/provider.hpp"

namespace lttng_gpu::device {

lttng_gpu_devicetrace_provider events;

void attach_provider()
{
    static bool is_done = false;
    if (__atomic_exchange_n(&is_done, true, __ATOMIC_ACQ_REL))
        return;
    const Provider provider =
        find_provider("liblttng-gpu-device-provider.so", lttng_gpu_devicetrace_records_version);
    if (provider.table)
        events = *static_cast<const lttng_gpu_devicetrace_provider*>(provider.table);
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
