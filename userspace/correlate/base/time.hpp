// SPDX-License-Identifier: MIT
//
// Points in time and lengths of time. A Timestamp is signed nanoseconds from
// the origin of the trace's clock; a Duration is signed nanoseconds. Adding
// two Timestamps does not compile.
#pragma once

#include "strong.hpp"

#include <cstdint>

namespace lttng_gpu {

using Timestamp = Strong<struct TimestampTag, std::int64_t>;
using Duration = Strong<struct DurationTag, std::int64_t>;

constexpr Duration operator-(Timestamp later, Timestamp earlier)
{
    return Duration{later.value() - earlier.value()};
}

constexpr Timestamp operator+(Timestamp time, Duration length)
{
    return Timestamp{time.value() + length.value()};
}

constexpr Timestamp operator-(Timestamp time, Duration length)
{
    return Timestamp{time.value() - length.value()};
}

constexpr Duration operator+(Duration first, Duration second)
{
    return Duration{first.value() + second.value()};
}

} // namespace lttng_gpu
