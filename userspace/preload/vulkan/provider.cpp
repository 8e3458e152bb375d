// SPDX-License-Identifier: MIT
#include "provider.hpp"

#include "devices.hpp"
#include "frames.hpp"
#include "harvest.hpp"

namespace lttng_gpu::vulkan {

lttng_gpu_vulkan_provider events;

static void lock_all()
{
    instances.lock();
    devices.lock();
    lock_frames();
}

static void unlock_all()
{
    unlock_frames();
    devices.unlock();
    instances.unlock();
}

/// The locks are open again, and no other thread is here.
static void renew_in_child()
{
    devices.for_each_locked([](Device& device) { drop_times(device); });
}

void attach_provider()
{
    static bool is_done = false;
    static const ForkHandlers forks = {lock_all, unlock_all, [] { events = {}; }, renew_in_child};
    attach_once(is_done, events, "liblttng-gpu-vulkan-provider.so",
                lttng_gpu_vulkan_records_version, forks);
}

bool is_attached()
{
    return events.call_state != &never_enabled;
}

} // namespace lttng_gpu::vulkan
