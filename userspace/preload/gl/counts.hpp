// SPDX-License-Identifier: MIT
//
// What is counted rather than recorded: the draw calls, dispatches and uploads of a frame. A thread
// counts for itself; the numbers go with the context when another thread makes it current.
#pragma once

#include <stdint.h>

namespace lttng_gpu::gl {

struct Counts {
    uint32_t draws;
    uint32_t dispatches;
    uint32_t uploads;
    bool has_work;    ///< the frame has begun: a call has given it work
    uint64_t context; ///< current in this thread; 0: none, or made current unseen
};

// Not thread_local: no look whether it is initialised.
extern __thread Counts counts __attribute__((tls_model("initial-exec")));

/// This thread's context from now on; the numbers of the one before are kept for it.
void switch_context(uint64_t context);
void forget_context(uint64_t context);

/// The number of the drawable's next frame, from 1.
uint64_t next_frame(uint64_t surface);
/// The drawable is gone, or is a new one of the same handle.
void forget_surface(uint64_t surface);

void lock_counts();
void unlock_counts();

} // namespace lttng_gpu::gl
