// SPDX-License-Identifier: MIT
#include "provider.hpp"

#include "devices.hpp"
#include "kernels.hpp"
#include "queues.hpp"
#include "signals.hpp"

namespace lttng_gpu::hsa {

lttng_gpu_hsa_provider events;

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

void attach_provider()
{
    static bool is_done = false;
    static const ForkHandlers forks = {lock_all, unlock_all, [] { events = {}; }, renew_in_child};
    attach_once(is_done, events, "liblttng-gpu-hsa-provider.so", lttng_gpu_hsa_records_version,
                forks);
}

} // namespace lttng_gpu::hsa
