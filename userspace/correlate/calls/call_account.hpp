// SPDX-License-Identifier: MIT
//
// How many jobs of the kernel's drivers name the API call that made them, and why the others do
// not: each job is counted once, here. What of the recording would have told more is noted, too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lttng_gpu::model {

/// Why a job names no call.
enum class NoCall : std::uint8_t {
    QueuedUnknown,    // no event tells when it was queued
    ThreadUnknown,    // nor who queued it
    ProcessWithout,   // its process made no recorded call until then
    ThreadInNone,     // its process makes calls, its thread was in none and is not a driver's
    Ambiguous,        // several calls or commands fit
    Untimed,          // commands without a known end do
    Elsewhere,        // the call of that thread number is another machine's or container's
    MachineUnknown,   // that cannot be decided
    NamespaceUnknown, // likewise
    HelperInDoubt,    // a driver's thread queued it, for one of several calls
    HelperUnmatched,  // a driver's thread queued it, and no call fits
    Count,
};

struct NoCallText {
    std::string_view name;    // in JSON
    std::string_view meaning; // "… of N jobs"
};

inline constexpr auto no_call_count = static_cast<std::size_t>(NoCall::Count);
/// By the cause's number.
extern const std::array<NoCallText, no_call_count> no_call_texts;

struct CallAccount {
    std::uint64_t same_thread = 0;
    std::uint64_t only_command = 0;
    std::uint64_t helper_thread = 0;
    std::uint64_t estimated = 0;
    std::array<std::uint64_t, no_call_count> unnamed{};
    bool has_estimates = false; // they were wanted
    // Whether the recording has them, of the programs that make calls.
    bool has_ioctls = false;
    bool has_sched = false;
    bool has_device_times = false; // of commands that make jobs

    std::uint64_t at(NoCall cause) const { return unnamed[static_cast<std::size_t>(cause)]; }
    std::uint64_t& at(NoCall cause) { return unnamed[static_cast<std::size_t>(cause)]; }
    std::uint64_t all_named() const
    {
        return same_thread + only_command + helper_thread + estimated;
    }
    std::uint64_t all_unnamed() const
    {
        std::uint64_t sum = 0;
        for (const std::uint64_t count : unnamed) {
            sum += count;
        }
        return sum;
    }
};

} // namespace lttng_gpu::model
