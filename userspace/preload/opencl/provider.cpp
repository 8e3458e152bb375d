// SPDX-License-Identifier: MIT
#include "provider.hpp"

#include "command_buffers.hpp"
#include "known_events.hpp"
#include "objects.hpp"
#include "preload.hpp"
#include "queues.hpp"
#include "tables.hpp"

namespace lttng_gpu::opencl {

lttng_gpu_opencl_provider events;

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

void attach_provider()
{
    static bool is_done = false;
    static const ForkHandlers forks = {lock_all, unlock_all, [] { events = {}; }, renew_in_child};
    attach_once(is_done, events, "liblttng-gpu-opencl-provider.so",
                lttng_gpu_opencl_records_version, forks);
}

} // namespace lttng_gpu::opencl
