// SPDX-License-Identifier: MIT
#include "provider.hpp"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>

#include "clock.hpp"
#include "lifecycle.hpp"

namespace lttng_gpu::opencl {

static const int never = 0;
static int never_follows()
{
    return 1;
}

#define DISABLED(name) &never, [](const lttng_gpu_opencl_##name*) {},
#define NO_EVENTS                                                                                  \
    {                                                                                              \
        LTTNG_GPU_OPENCL_EVENTS(DISABLED) never_follows                                            \
    }

static const lttng_gpu_opencl_provider no_events = NO_EVENTS;
lttng_gpu_opencl_provider events = NO_EVENTS;

static const char library_name[] = "liblttng-gpu-opencl-provider.so";

/// Beside the layer's own file: it was built with this layer, and a path that the user cannot set
/// is followed only.
static bool find_library(char* path, size_t size)
{
    Dl_info self;
    if (!dladdr(&no_events, &self) || !self.dli_fname)
        return false;
    const char* slash = strrchr(self.dli_fname, '/');
    const size_t folder = slash ? slash + 1 - self.dli_fname : 0;
    if (folder + sizeof(library_name) > size)
        return false;
    memcpy(path, self.dli_fname, folder);
    memcpy(path + folder, library_name, sizeof(library_name));
    return true;
}

/// Fails where LTTng-UST is not installed, which is no reason to say anything. Another copy of the
/// layer may have loaded a provider already; with two, LTTng would write each event twice.
static void* open_library()
{
    char path[PATH_MAX];
    if (void* loaded = dlopen(library_name, RTLD_NOW | RTLD_NOLOAD))
        return loaded;
    return find_library(path, sizeof(path)) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
}

void attach_provider()
{
    static bool is_done = false;
    if (__atomic_exchange_n(&is_done, true, __ATOMIC_ACQ_REL) || getauxval(AT_SECURE))
        return;
    void* library = open_library();
    if (!library)
        return;
    const auto find = reinterpret_cast<lttng_gpu_opencl_provider_function*>(
        dlsym(library, "lttng_gpu_opencl_provider"));
    const lttng_gpu_opencl_provider* provider =
        find ? find(LTTNG_GPU_OPENCL_RECORDS_VERSION) : nullptr;
    if (!provider)
        return;
    find_counter();
    events = *provider;
    watch_forks();
}

void detach_provider()
{
    events = no_events;
}

} // namespace lttng_gpu::opencl
