// SPDX-License-Identifier: MIT
//
// Warps on the CPU: each lane is a context of its own, and those of a work-group run in turns in
// one thread. A lane runs until it asks which lanes are active with it, or waits for others. Those
// that ask at the same place (the same chain of calls) are together; which of the places goes on
// first, and whether all of its lanes do, is drawn by lot, as a GPU promises nothing of it either.
#pragma once

#include <cstdint>
#include <functional>

typedef unsigned int uint;
typedef unsigned long ulong;

namespace lockstep {

/// Of the lane that runs.
extern uint group, groups, item, items;

uint active();
/// These fail the program if a lane of `lanes` comes to something else.
uint of_lane(uint value, uint lane, uint lanes);
uint where(uint value, uint lanes);
uint any(uint value, uint lanes);
void sync(uint lanes);
/// Of all lanes of the work-group that have not ended.
void meet();

/// Runs a work-group. `luck` 0: lanes that are at one place stay together.
void run_group(uint number, uint of_groups, uint of_items, uint luck,
               const std::function<void()>& lane);

} // namespace lockstep
