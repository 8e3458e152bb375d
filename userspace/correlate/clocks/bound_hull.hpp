// SPDX-License-Identifier: MIT
//
// The convex hull, from below, of points that a line must not pass above. A
// point that no line can touch without passing above another is forgotten.
// Points that a line must not pass below are given with their gain negated.
#pragma once

#include "exact.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace lttng_gpu::model {

class BoundHull {
public:
    /// False: the hull implies it already. Appending costs amortised constant time,
    /// elsewhere the time to find the place and to move what lies behind.
    bool insert(const ClockPoint& point);
    /// Forgets every second point between the ends: fewer bounds, none of them wrong.
    void thin();
    /// Makes every bound that much weaker.
    void raise(std::int64_t gain);

    std::span<const ClockPoint> points() const { return m_points; }
    std::size_t size() const { return m_points.size(); }

private:
    std::vector<ClockPoint> m_points; // by x, slopes ascending
};

/// The point at which a line of that slope touches the hull, which is not empty.
ClockPoint touching(std::span<const ClockPoint> hull, const Ratio& slope);

} // namespace lttng_gpu::model
