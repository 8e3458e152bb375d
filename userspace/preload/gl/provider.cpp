// SPDX-License-Identifier: MIT
#include "provider.hpp"

#include <errno.h>
#include <stdlib.h>

#include "counts.hpp"
#include "harvest.hpp"
#include "uploads.hpp"

namespace lttng_gpu::gl {

lttng_gpu_gl_provider events;
int is_attached = 0;
bool is_attach_done = false;

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

static void stop_recording()
{
    is_attached = 0;
    events = {};
}

static void attach()
{
    static const ForkHandlers forks = {lock_tables, unlock_tables, stop_recording, [] {}};
    const Provider provider =
        find_provider("liblttng-gpu-gl-provider.so", lttng_gpu_gl_records_version);
    if (!provider.table)
        return;
    read_upload_limit();
    read_times_wish();
    begin_recording(events, provider, forks);
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
