// SPDX-License-Identifier: MIT
//
// Puts the four times of one command on the trace's time line. How far they are apart is the
// device's own measurement, to its clock's resolution; the mapping of the clock is less sure, so it
// says only where they lie: all four are moved by one offset. Where no offset keeps all inside
// their errors and their call, the device's clock is known to run at another rate than the trace's:
// then the stages before the start are mapped one by one, and only if not even the execution fits
// as it is, all of them.
#pragma once

#include "clock_piece.hpp"
#include "exact.hpp"

#include <array>

namespace lttng_gpu::model {

struct StageTimes {
    std::array<std::uint64_t, 4> device{}; // queued, submit, start, end
    std::array<MappedTime, 4> mapped{};
    std::optional<Timestamp> not_before; // the first
    std::optional<Timestamp> not_after;  // the last
};

struct PlacedStages {
    std::array<Timestamp, 4> times;
    std::array<Duration, 4> errors; // the moment lay within it, see MappedTime
    Duration offset;                // trace - device, of the end
};

/// `offset` of a command before this one is kept where it fits, so that what lies between commands
/// is the device's own measurement, too. Nothing: the times are too far from each other.
std::optional<PlacedStages> place_stages(const StageTimes& stages, std::optional<Duration> offset);

} // namespace lttng_gpu::model
