// SPDX-License-Identifier: MIT
//
// See suspension.hpp.
#include "suspension.hpp"

#include <ctime>
#include <fmt/format.h>

namespace lttng_gpu::record {
namespace {

/// The two clocks are not read at once, and no machine sleeps for less.
constexpr std::chrono::milliseconds shortest_suspension{100};

std::chrono::nanoseconds now(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

} // namespace

std::chrono::nanoseconds time_suspended()
{
    const auto monotonic = now(CLOCK_MONOTONIC);
    return now(CLOCK_BOOTTIME) - monotonic;
}

std::string suspension_note(std::chrono::nanoseconds suspended)
{
    if (suspended < shortest_suspension) {
        return {};
    }
    return fmt::format("the machine was suspended for {:.1f} s of the recording: the trace's clock "
                       "stands still meanwhile, so times of day after that are too early",
                       std::chrono::duration<double>(suspended).count());
}

} // namespace lttng_gpu::record
