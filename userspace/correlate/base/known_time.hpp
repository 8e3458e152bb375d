// SPDX-License-Identifier: MIT
//
// A time, or a length of time, that may be unknown, in eight bytes: what there are
// thousands of at once holds several. Used like std::optional, and turns into one. The
// smallest number means unknown: no clock gets there (292 years before its origin).
#pragma once

#include "time.hpp"

#include <limits>
#include <optional>

namespace lttng_gpu {

template <typename Time> class Known {
public:
    constexpr Known() = default;
    constexpr Known(std::nullopt_t) {}
    constexpr Known(Time time) : x_time{time} {}
    constexpr Known(const std::optional<Time>& time) : x_time{time.value_or(unknown)} {}

    constexpr operator std::optional<Time>() const
    {
        return has_value() ? std::optional{x_time} : std::nullopt;
    }

    constexpr bool has_value() const { return x_time != unknown; }
    constexpr explicit operator bool() const { return has_value(); }
    /// Only of a known one.
    constexpr const Time& operator*() const { return x_time; }
    constexpr const Time* operator->() const { return &x_time; }
    constexpr Time value_or(Time other) const { return has_value() ? x_time : other; }
    constexpr void reset() { x_time = unknown; }

    friend constexpr bool operator==(const Known&, const Known&) = default;

private:
    static constexpr Time unknown{std::numeric_limits<typename Time::rep>::min()};

    Time x_time = unknown;
};

using KnownTime = Known<Timestamp>;
using KnownDuration = Known<Duration>;

} // namespace lttng_gpu
