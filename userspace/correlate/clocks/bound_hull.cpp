// SPDX-License-Identifier: MIT
//
// See bound_hull.hpp.
#include "bound_hull.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

/// Whether the middle point lies on or above the line through its neighbours.
bool is_implied(const ClockPoint& left, const ClockPoint& middle, const ClockPoint& right)
{
    return Wide{middle.gain - left.gain} * (right.x - left.x) >=
           Wide{right.gain - left.gain} * (middle.x - left.x);
}

} // namespace

bool BoundHull::insert(const ClockPoint& point)
{
    auto place = std::ranges::lower_bound(m_points, point.x, {}, &ClockPoint::x);
    if (place != m_points.end() && place->x == point.x) {
        if (place->gain <= point.gain) {
            return false;
        }
        *place = point;
    } else {
        const bool is_inside = place != m_points.begin() && place != m_points.end();
        if (is_inside && is_implied(*(place - 1), point, *place)) {
            return false;
        }
        place = m_points.insert(place, point);
    }
    auto first_kept = place + 1; // to the right
    while (m_points.end() - first_kept >= 2 && is_implied(point, *first_kept, *(first_kept + 1))) {
        ++first_kept;
    }
    m_points.erase(place + 1, first_kept);
    auto last_kept = place; // to the left; points at what follows it
    while (last_kept - m_points.begin() >= 2 &&
           is_implied(*(last_kept - 2), *(last_kept - 1), point)) {
        --last_kept;
    }
    m_points.erase(last_kept, place);
    return true;
}

void BoundHull::thin()
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        if (i % 2 == 0 || i + 1 == m_points.size()) {
            m_points[kept++] = m_points[i];
        }
    }
    m_points.resize(kept);
}

void BoundHull::raise(std::int64_t gain)
{
    for (ClockPoint& point : m_points) {
        point.gain += gain;
    }
}

ClockPoint touching(std::span<const ClockPoint> hull, const Ratio& slope)
{
    std::size_t low = 0; // the first point whose edge to the next is steeper
    std::size_t high = hull.size() - 1;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (slope < slope_of(hull[middle], hull[middle + 1])) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return hull[low];
}

} // namespace lttng_gpu::model
