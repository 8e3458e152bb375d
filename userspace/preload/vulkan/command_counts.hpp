// SPDX-License-Identifier: MIT
//
// Draw calls and dispatches that the program puts into command buffers of a device, counted for its
// frames. Several threads do so at once: each has a place of its own as long as there are enough,
// so that they do not take the cache line from each other.
#pragma once

namespace lttng_gpu::vulkan {

struct alignas(64) CommandCounts {
    static constexpr unsigned places = 16;
    unsigned draws, dispatches;
};

/// This thread's, one more than its number; 0: none yet. Not thread_local: no look whether it is
/// initialised.
extern __thread unsigned counting_place __attribute__((tls_model("initial-exec")));
unsigned find_counting_place();

} // namespace lttng_gpu::vulkan
