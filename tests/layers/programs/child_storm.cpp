// SPDX-License-Identifier: MIT
//
// Preloaded into programs in C that call make_children() where it is there: FORK_SHAPE and
// FORK_COUNT say what it does.
#include "fork_shapes.hpp"

extern "C" void make_children()
{
    const char* const shape = std::getenv("FORK_SHAPE");
    const char* const count = std::getenv("FORK_COUNT");
    if (shape && count)
        fork_shapes::storm(shape, std::atoi(count));
}
