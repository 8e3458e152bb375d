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
#include "tables.hpp"
#include "watches.hpp"

namespace lttng_gpu::opencl {

int tracking = 0;

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
