// SPDX-License-Identifier: MIT
//
// Whether the machine slept while it was recorded. LTTng's times are of the monotonic clock, which
// stands still meanwhile, plus an offset to the time of day that is taken once, when the session is
// made.
#pragma once

#include <chrono>
#include <string>

namespace lttng_gpu::record {

/// How long the machine has been suspended since it was booted (CLOCK_BOOTTIME less
/// CLOCK_MONOTONIC).
std::chrono::nanoseconds time_suspended();

/// What is to be said of a recording during which the machine was suspended for that long; empty:
/// nothing.
std::string suspension_note(std::chrono::nanoseconds suspended);

} // namespace lttng_gpu::record
