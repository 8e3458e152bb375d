// SPDX-License-Identifier: MIT
//
// Exact arithmetic for lines through points of two clocks. All coordinates are
// nanoseconds from a piece's own origin and stay below 2^60, so that products of
// two differences fit into 128 bits. Nothing here ever rounds except the two
// divisions, which say in which direction.
#pragma once

#include "../base/time.hpp"

#include <cstdint>
#include <limits>

namespace lttng_gpu::model {

__extension__ using Wide = __int128;

/// Beyond this (36 years) a coordinate is not from the same clock any more.
inline constexpr std::int64_t farthest = std::int64_t{1} << 60U;

constexpr bool is_near(Wide value)
{
    return value <= farthest && value >= -farthest;
}

/// A fraction; the denominator is positive.
struct Ratio {
    std::int64_t over = 0;
    std::int64_t under = 1;

    constexpr Ratio operator-() const { return {-over, under}; }
    friend constexpr bool operator<(const Ratio& left, const Ratio& right)
    {
        return Wide{left.over} * right.under < Wide{right.over} * left.under;
    }
};

/// A moment of the device clock (`x`) and how much further the trace clock may
/// have run since the origin (`gain` = trace - device).
struct ClockPoint {
    std::int64_t x = 0;
    std::int64_t gain = 0;
    std::int64_t seen = 0; // when the trace told of it
};

/// Of the line from the earlier to the later point, which differ in x.
constexpr Ratio slope_of(const ClockPoint& earlier, const ClockPoint& later)
{
    return {later.gain - earlier.gain, later.x - earlier.x};
}

/// So long before `time`, or as early as can be said: damaged traces have times near that.
constexpr Timestamp earlier(Timestamp time, Duration length)
{
    const std::int64_t first = std::numeric_limits<std::int64_t>::min();
    return time.value() < first + length.value() ? Timestamp{first} : time - length;
}

constexpr Wide divide_up(Wide over, Wide under)
{
    const Wide quotient = over / under;
    return quotient * under < over ? quotient + 1 : quotient;
}

/// The least whole number not below the line of that slope through the point.
constexpr std::int64_t ceiling_at(const ClockPoint& point, const Ratio& slope, std::int64_t x)
{
    const Wide rise = Wide{slope.over} * (Wide{x} - point.x);
    return static_cast<std::int64_t>(point.gain + divide_up(rise, slope.under));
}

} // namespace lttng_gpu::model
