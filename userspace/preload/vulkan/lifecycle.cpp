// SPDX-License-Identifier: MIT
#include "lifecycle.hpp"

#include "devices.hpp"
#include "frames.hpp"
#include "harvest.hpp"
#include "provider.hpp"
#include "runtime/forks.hpp"

namespace lttng_gpu::vulkan {

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

void follow_forks(void* provider)
{
    static const ForkHandlers handlers = {lock_all, unlock_all, detach_provider, renew_in_child};
    watch_forks(events.follows_fork(), provider, handlers);
}

} // namespace lttng_gpu::vulkan
