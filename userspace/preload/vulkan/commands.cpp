// SPDX-License-Identifier: MIT
#include "commands.hpp"

#include <stdlib.h>
#include <string.h>

namespace lttng_gpu::vulkan {

__thread unsigned counting_place = 0;

unsigned find_counting_place()
{
    static unsigned threads = 0;
    const unsigned number = __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    counting_place = 1 + number % CommandCounts::places;
    return counting_place;
}

bool are_commands_counted()
{
    const char* const value = getenv("LTTNG_GPU_VULKAN_DRAWS");
    return value && *value && strcmp(value, "0") != 0;
}

static unsigned take(unsigned& count)
{
    // Most places are of threads that draw nothing.
    return __atomic_load_n(&count, __ATOMIC_RELAXED)
               ? __atomic_exchange_n(&count, 0, __ATOMIC_RELAXED)
               : 0;
}

CommandsOfFrame take_commands(Device& device)
{
    CommandsOfFrame taken = {0, 0};
    for (CommandCounts& place : device.commands) {
        taken.draws += take(place.draws);
        taken.dispatches += take(place.dispatches);
    }
    return taken;
}

} // namespace lttng_gpu::vulkan
