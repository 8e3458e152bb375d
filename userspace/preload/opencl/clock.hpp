// SPDX-License-Identifier: MIT
//
// The clock of LTTng-UST's events.
#pragma once

#include <stdint.h>
#include <time.h>

namespace lttng_gpu::opencl {

/// Nanoseconds of CLOCK_MONOTONIC.
inline uint64_t now_ns()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return uint64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

} // namespace lttng_gpu::opencl
