// SPDX-License-Identifier: MIT
//
// A stretch of time, both ends included.
#pragma once

#include "time.hpp"

namespace lttng_gpu {

struct TimeSpan {
    Timestamp begin;
    Timestamp end;

    friend constexpr bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

constexpr bool overlaps(const TimeSpan& first, const TimeSpan& second)
{
    return first.begin <= second.end && second.begin <= first.end;
}

} // namespace lttng_gpu
