// SPDX-License-Identifier: MIT
#include "provider.hpp"

#include <dlfcn.h>

#include "lifecycle.hpp"
#include "runtime/clock.hpp"
#include "runtime/provider_library.hpp"

namespace lttng_gpu::hsa {

static const int never = 0;
static int never_follows()
{
    return 1;
}

#define DISABLED(name) &never, [](const lttng_gpu_hsa_##name*) {},
#define NO_EVENTS                                                                                  \
    {                                                                                              \
        LTTNG_GPU_HSA_EVENTS(DISABLED) never_follows                                               \
    }

static const lttng_gpu_hsa_provider no_events = NO_EVENTS;
lttng_gpu_hsa_provider events = NO_EVENTS;

void attach_provider()
{
    static bool is_done = false;
    if (__atomic_exchange_n(&is_done, true, __ATOMIC_ACQ_REL))
        return;
    void* library = open_provider_library("liblttng-gpu-hsa-provider.so");
    if (!library)
        return;
    const auto find = reinterpret_cast<lttng_gpu_hsa_provider_function*>(
        dlsym(library, "lttng_gpu_hsa_provider"));
    const lttng_gpu_hsa_provider* provider = find ? find(LTTNG_GPU_HSA_RECORDS_VERSION) : nullptr;
    if (!provider)
        return;
    find_counter();
    events = *provider;
    follow_forks(library);
}

void detach_provider()
{
    events = no_events;
}

} // namespace lttng_gpu::hsa
