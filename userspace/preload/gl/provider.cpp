// SPDX-License-Identifier: MIT
#include "provider.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

#include "counts.hpp"
#include "harvest.hpp"
#include "runtime/clock.hpp"
#include "runtime/forks.hpp"
#include "runtime/provider_library.hpp"
#include "uploads.hpp"

namespace lttng_gpu::gl {

static const int never = 0;
static int never_follows()
{
    return 1;
}

#define DISABLED(name) &never, [](const lttng_gpu_gl_##name*) {},
#define NO_EVENTS                                                                                  \
    {                                                                                              \
        LTTNG_GPU_GL_EVENTS(DISABLED) never_follows                                                \
    }

static const lttng_gpu_gl_provider no_events = NO_EVENTS;
lttng_gpu_gl_provider events = NO_EVENTS;
int is_attached = 0;
bool is_attach_done = false;

/// In a child of fork() that LTTng was not told of.
static void detach_provider()
{
    is_attached = 0;
    events = no_events;
}

static void lock_tables()
{
    lock_counts();
    lock_times();
}

static void unlock_tables()
{
    unlock_times();
    unlock_counts();
}

static void follow_forks(void* library)
{
    static const ForkHandlers handlers = {lock_tables, unlock_tables, detach_provider, [] {}};
    watch_forks(events.follows_fork(), library, handlers);
}

static void attach()
{
    void* library = open_provider_library("liblttng-gpu-gl-provider.so");
    if (!library)
        return;
    const auto find =
        reinterpret_cast<lttng_gpu_gl_provider_function*>(dlsym(library, "lttng_gpu_gl_provider"));
    const lttng_gpu_gl_provider* provider = find ? find(LTTNG_GPU_GL_RECORDS_VERSION) : nullptr;
    if (!provider)
        return;
    find_counter();
    read_upload_limit();
    read_times_wish();
    events = *provider;
    follow_forks(library);
    if (are_times_wanted)
        atexit(count_all_left);
    is_attached = 1;
}

void attach_provider_now()
{
    if (__atomic_exchange_n(&is_attach_done, true, __ATOMIC_ACQ_REL))
        return;
    const int error = errno;
    attach();
    errno = error;
}

} // namespace lttng_gpu::gl
