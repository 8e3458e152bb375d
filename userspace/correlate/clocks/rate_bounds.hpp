// SPDX-License-Identifier: MIT
//
// What bounds say when a clock's drift may change at any moment, as long as it
// stays inside the limit: a point bounds its neighbourhood, the less the further
// away. Points that another one makes needless are forgotten; what is left is
// also all that bounds any line of such a drift. Like a hull: gains that must not
// be exceeded, bounds from below negated.
#pragma once

#include "exact.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lttng_gpu::model {

class RateBounds {
public:
    explicit RateBounds(const Ratio& drift_limit) : m_limit{drift_limit} {}

    /// False: implied by what is there.
    bool insert(const ClockPoint& point);
    /// Whether the bound at the point, the other way round, leaves any room.
    bool has_room_for(const ClockPoint& opposite) const;
    /// The greatest gain at x, rounded up; nothing without points.
    std::optional<std::int64_t> greatest(std::int64_t x) const;
    /// Forgets the first quarter.
    void forget_first();
    /// Keeps at most so many, spread evenly: fewer bounds, none of them wrong.
    void thin(std::size_t most);
    /// Makes every bound that much weaker.
    void raise(std::int64_t gain);

    std::span<const ClockPoint> points() const { return m_points; }

private:
    /// Whether `point` follows from `other`.
    bool is_implied(const ClockPoint& point, const ClockPoint& other) const;
    bool leaves_room(const ClockPoint& point, const ClockPoint& opposite) const;

    Ratio m_limit;
    std::vector<ClockPoint> m_points; // by x; none implies another
};

} // namespace lttng_gpu::model
