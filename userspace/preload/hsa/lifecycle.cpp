// SPDX-License-Identifier: MIT
#include "lifecycle.hpp"

#include <pthread.h>
#include <stdlib.h>

#include "devices.hpp"
#include "kernels.hpp"
#include "provider.hpp"
#include "queues.hpp"
#include "runtime/drivers_end.hpp"
#include "signals.hpp"
#include "tables.hpp"

namespace lttng_gpu::hsa {

static bool is_runtime_asked_at_exit = false;

/// The runtime still answers: its library was loaded before this handler was registered, so its
/// destructors run later. Once only: after the first of the layer's exit handlers one of the
/// runtime, or of what it drives the device by, may have run.
static void see_before_drivers_end()
{
    if (!__atomic_exchange_n(&is_runtime_asked_at_exit, true, __ATOMIC_RELAXED))
        see_all_signals();
}

static void at_exit()
{
    see_before_drivers_end();
    give_signals_up();
}

void expect_drivers_end()
{
    lttng_gpu::expect_drivers_end(see_before_drivers_end);
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
    if (!__atomic_load_n(&is_runtime_asked_at_exit, __ATOMIC_RELAXED))
        see_all_signals();
    give_signals_up();
    forget_queues();
    forget_kernels();
    forget_devices();
}

} // namespace lttng_gpu::hsa
