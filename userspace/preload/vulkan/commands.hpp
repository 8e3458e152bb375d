// SPDX-License-Identifier: MIT
//
// What the wrappers of draw calls and dispatches do, which only programs get that ask for it.
#pragma once

#include "devices.hpp"
#include "watches.hpp"

namespace lttng_gpu::vulkan {

/// Whether the environment asks for it.
bool are_commands_counted();

inline void count_command(Device& device, unsigned CommandCounts::*kind)
{
    if (likely(!watches_commands()))
        return;
    const unsigned place = counting_place ? counting_place : find_counting_place();
    __atomic_fetch_add(&(device.commands[place - 1].*kind), 1, __ATOMIC_RELAXED);
}

struct CommandsOfFrame {
    unsigned draws, dispatches;
};
/// Those that were counted since it was asked last: each is told once.
CommandsOfFrame take_commands(Device& device);

} // namespace lttng_gpu::vulkan
