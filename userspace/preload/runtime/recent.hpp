// SPDX-License-Identifier: MIT
//
// What a thread looked up last: most commands go to the queue, and run the kernel, of the one
// before. A table that loses an entry makes all threads look again.
#pragma once

#include <stdint.h>

#include "thread_state.hpp"

namespace lttng_gpu {

/// One per thread and table; constant-initialised, so that the thread-local storage needs no guard.
template <class Value> struct Recent {
    const void* handle;
    Value value;
    uint32_t generation;
};

/// `find(handle)` is asked when the handle is not the one before, or when `generation` has changed
/// since.
template <class Value, class Find>
Value find_recent(Recent<Value>& recent, const uint32_t& generation, const void* handle,
                  Find&& find)
{
    const Section section;
    const uint32_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
    if (recent.handle == handle && recent.generation == now && recent.value)
        return recent.value;
    recent = {handle, find(), now};
    return recent.value;
}

} // namespace lttng_gpu
