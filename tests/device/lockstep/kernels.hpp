// SPDX-License-Identifier: MIT
#pragma once

#include "warp.hpp"

#include <map>
#include <vector>

namespace lockstep {

/// A kernel of diverging.cl for one lane, with the recorder's memory.
struct Kernel {
    const char* name;
    void (*run)(int* out, int n, uint* buffer, uint* words);
};
/// With the recorder, and with each point noted.
extern const std::vector<Kernel> recorded, noted;
/// [work-item][location]: what the noted ones did.
extern std::vector<std::map<uint, ulong>> notes;

} // namespace lockstep
