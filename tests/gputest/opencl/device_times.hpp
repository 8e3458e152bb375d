// SPDX-License-Identifier: MIT
// When the device executed commands, if GPUTEST_CL_TIMES is set: as the kernel driver's truth log
// (debugfs, root only) tells it. Without, this driver reports no times.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

namespace lttng_gpu::gputest {

// By the fence that ends it.
struct JobName {
    std::uint64_t context = 0;
    std::uint64_t seqno = 0;

    bool operator==(const JobName&) const = default;
};

// The jobs of a command, and which part of them it is: both in nanoseconds of what was asked for.
struct Share {
    JobName first;
    JobName last;
    std::uint64_t begin_ns = 0;
    std::uint64_t end_ns = 0;
    std::uint64_t all_ns = 0;
};

bool has_device_times();
// Start and end in nanoseconds of CLOCK_MONOTONIC; nothing: the log does not have it.
std::optional<std::pair<std::uint64_t, std::uint64_t>> execution_of(const Share& share);
std::uint64_t monotonic_now();

} // namespace lttng_gpu::gputest
