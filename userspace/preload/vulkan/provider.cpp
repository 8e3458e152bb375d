// SPDX-License-Identifier: MIT
#include "provider.hpp"

#include <dlfcn.h>

#include "lifecycle.hpp"
#include "runtime/clock.hpp"
#include "runtime/provider_library.hpp"

namespace lttng_gpu::vulkan {

static const int never = 0;
static int never_follows()
{
    return 1;
}

#define DISABLED(name) &never, [](const lttng_gpu_vulkan_##name*) {},
#define NO_EVENTS                                                                                  \
    {                                                                                              \
        LTTNG_GPU_VULKAN_EVENTS(DISABLED) never_follows                                            \
    }

static const lttng_gpu_vulkan_provider no_events = NO_EVENTS;
lttng_gpu_vulkan_provider events = NO_EVENTS;

void attach_provider()
{
    static bool is_done = false;
    if (__atomic_exchange_n(&is_done, true, __ATOMIC_ACQ_REL))
        return;
    void* library = open_provider_library("liblttng-gpu-vulkan-provider.so");
    if (!library)
        return;
    const auto find = reinterpret_cast<lttng_gpu_vulkan_provider_function*>(
        dlsym(library, "lttng_gpu_vulkan_provider"));
    const lttng_gpu_vulkan_provider* provider =
        find ? find(LTTNG_GPU_VULKAN_RECORDS_VERSION) : nullptr;
    if (!provider)
        return;
    find_counter();
    events = *provider;
    follow_forks(library);
}

bool is_attached()
{
    return events.call_state != &never;
}

void detach_provider()
{
    events = no_events;
}

} // namespace lttng_gpu::vulkan
