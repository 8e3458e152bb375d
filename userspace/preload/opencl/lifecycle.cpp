// SPDX-License-Identifier: MIT
#include "lifecycle.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "command_buffers.hpp"
#include "harvest.hpp"
#include "known_events.hpp"
#include "objects.hpp"
#include "preload.hpp"
#include "provider.hpp"
#include "queues.hpp"
#include "runtime/forks.hpp"
#include "tables.hpp"
#include "watches.hpp"

namespace lttng_gpu::opencl {

int tracking = 0;

static void lock_all()
{
    lock_queues();
    lock_events();
    lock_kernels();
    lock_devices();
    lock_command_buffers();
}

static void unlock_all()
{
    unlock_command_buffers();
    unlock_devices();
    unlock_kernels();
    unlock_events();
    unlock_queues();
}

/// The parent's commands are not the child's, and the driver is not asked about them.
static void renew_in_child()
{
    renew_tables_in_child();
    renew_symbols_in_child();
    for (Queue* queue = all_queues(); queue; queue = queue->next)
        drop_pending(*queue);
}

void follow_forks(void* provider)
{
    static const ForkHandlers handlers = {lock_all, unlock_all, detach_provider, renew_in_child};
    watch_forks(events.follows_fork(), provider, handlers);
}

/// The exit handler calls the loader, which the program may have closed by then.
static void keep_loader()
{
    Dl_info loader;
    if (dladdr(reinterpret_cast<void*>(core().clGetEventInfo), &loader) && loader.dli_fname)
        dlopen(loader.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

static void start()
{
    keep_loader();
    atexit(harvest_at_exit);
    __atomic_store_n(&tracking, 1, __ATOMIC_RELEASE);
}

void start_tracking()
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (__atomic_load_n(&tracking, __ATOMIC_ACQUIRE))
        return;
    const Section section;
    pthread_once(&once, start);
}

void end_with_loader()
{
    harvest_at_unload();
    drivers_ended();
    abandon_all();
    for (Queue* queue = all_queues(); queue; queue = queue->next)
        forget_queue(*queue);
    forget_events();
    forget_kernels();
    forget_devices();
    forget_command_buffers();
}

} // namespace lttng_gpu::opencl
