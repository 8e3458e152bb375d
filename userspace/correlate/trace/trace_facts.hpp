// SPDX-License-Identifier: MIT
//
// What a trace tells of itself as a whole.
#pragma once

#include "../base/time.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace lttng_gpu::trace {

/// The name of the clock whose identity is that of the kernel's boot.
inline constexpr std::string_view boot_clock = "monotonic";

/// On which machine a trace was recorded. What is empty is not known.
struct MachineName {
    /// Of the kernel's boot, the same in all its containers. LTTng's tracers, of the kernel and of
    /// user space, give their clock this UUID (/proc/sys/kernel/random/boot_id).
    std::string boot_id;
    std::string host;
};

struct TraceFacts {
    std::string kernel_release; // of the kernel that wrote the trace ("6.12.48+deb13-amd64")
    /// What to add to the own nanoseconds of the trace's clock, which values inside events may
    /// have, to get times of the source.
    std::optional<Duration> clock_offset;
    MachineName machine;
    std::string path; // of the trace, for messages
};

} // namespace lttng_gpu::trace
