// SPDX-License-Identifier: MIT
#include "lifecycle.hpp"

#include <pthread.h>
#include <stdlib.h>

#include "harvest.hpp"
#include "known_events.hpp"
#include "objects.hpp"
#include "provider.hpp"
#include "queues.hpp"
#include "watches.hpp"

namespace lttng_gpu::opencl {

int tracking = 0;

/// Asked before: the child must not call the dynamic linker.
static bool child_records = false;

static void before_fork()
{
    child_records = events.follows_fork();
    lock_queues();
    lock_events();
    lock_kernels();
    lock_devices();
}

static void after_fork()
{
    unlock_devices();
    unlock_kernels();
    unlock_events();
    unlock_queues();
}

/// Without liblttng-ust-fork the child would write into the parent's buffers under the parent's
/// name. The parent's commands are not the child's.
static void after_fork_in_child()
{
    after_fork();
    if (!child_records)
        detach_provider();
    for (Queue* queue = all_queues(); queue; queue = queue->next) {
        queue->pending = {};
        queue->pending_count = 0;
        queue->is_harvested_now = false;
    }
}

static void start()
{
    atexit(harvest_at_exit);
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
    __atomic_store_n(&tracking, 1, __ATOMIC_RELEASE);
}

void start_tracking()
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!__atomic_load_n(&tracking, __ATOMIC_ACQUIRE))
        pthread_once(&once, start);
}

void end_with_loader()
{
    harvest_at_exit();
    abandon_all();
    for (Queue* queue = all_queues(); queue; queue = queue->next)
        forget_queue(*queue);
    forget_events();
    forget_kernels();
    forget_devices();
}

} // namespace lttng_gpu::opencl
