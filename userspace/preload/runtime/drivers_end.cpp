// SPDX-License-Identifier: MIT
#include "drivers_end.hpp"

#include <stdlib.h>

#include "thread_state.hpp"

namespace lttng_gpu {

/// Enough for the drivers of a program; each handler takes memory.
static constexpr unsigned most_handlers = 64;
static unsigned handlers = 0;

void expect_drivers_end(void (*ask)())
{
    if (__atomic_load_n(&handlers, __ATOMIC_RELAXED) >= most_handlers ||
        __atomic_fetch_add(&handlers, 1, __ATOMIC_RELAXED) >= most_handlers)
        return;
    const Section section;
    atexit(ask);
}

} // namespace lttng_gpu
