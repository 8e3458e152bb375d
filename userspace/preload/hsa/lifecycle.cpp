// SPDX-License-Identifier: MIT
#include "lifecycle.hpp"

#include <pthread.h>
#include <stdlib.h>

#include "devices.hpp"
#include "kernels.hpp"
#include "provider.hpp"
#include "queues.hpp"
#include "runtime/forks.hpp"
#include "signals.hpp"
#include "tables.hpp"

namespace lttng_gpu::hsa {

static void lock_all()
{
    lock_queues();
    lock_signals();
    lock_kernels();
    lock_devices();
}

static void unlock_all()
{
    unlock_devices();
    unlock_kernels();
    unlock_signals();
    unlock_queues();
}

/// The parent's packets are not the child's.
static void renew_in_child()
{
    forget_signals();
}

void follow_forks(void* provider)
{
    static const ForkHandlers handlers = {lock_all, unlock_all, detach_provider, renew_in_child};
    watch_forks(events.follows_fork(), provider, handlers);
}

/// The runtime still answers: its library was loaded before this handler was registered, so its
/// destructors run later.
static void at_exit()
{
    end_signals();
}

static void register_exit()
{
    atexit(at_exit);
}

void start_with_runtime()
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_exit);
}

void end_with_runtime()
{
    end_signals();
    forget_queues();
    forget_kernels();
    forget_devices();
}

} // namespace lttng_gpu::hsa
