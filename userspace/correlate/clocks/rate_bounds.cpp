// SPDX-License-Identifier: MIT
//
// See rate_bounds.hpp. Because no point implies another, the tightest bound at x
// is that of the nearest point on either side.
#include "rate_bounds.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

Wide distance(const ClockPoint& first, const ClockPoint& second)
{
    const Wide difference = Wide{first.x} - second.x;
    return difference < 0 ? -difference : difference;
}

} // namespace

bool RateBounds::is_implied(const ClockPoint& point, const ClockPoint& other) const
{
    return (Wide{point.gain} - other.gain) * m_limit.under >= distance(point, other) * m_limit.over;
}

bool RateBounds::leaves_room(const ClockPoint& point, const ClockPoint& opposite) const
{
    return (Wide{point.gain} + opposite.gain) * m_limit.under +
               distance(point, opposite) * m_limit.over >=
           0;
}

bool RateBounds::insert(const ClockPoint& point)
{
    auto right = std::ranges::lower_bound(m_points, point.x, {}, &ClockPoint::x);
    if ((right != m_points.end() && is_implied(point, *right)) ||
        (right != m_points.begin() && is_implied(point, *(right - 1)))) {
        return false;
    }
    auto left = right;
    while (right != m_points.end() && is_implied(*right, point)) {
        ++right;
    }
    while (left != m_points.begin() && is_implied(*(left - 1), point)) {
        --left;
    }
    if (left == right) {
        m_points.insert(left, point);
    } else {
        *left = point;
        m_points.erase(left + 1, right);
    }
    return true;
}

bool RateBounds::has_room_for(const ClockPoint& opposite) const
{
    const auto right = std::ranges::lower_bound(m_points, opposite.x, {}, &ClockPoint::x);
    return (right == m_points.end() || leaves_room(*right, opposite)) &&
           (right == m_points.begin() || leaves_room(*(right - 1), opposite));
}

std::optional<std::int64_t> RateBounds::greatest(std::int64_t x) const
{
    const auto right = std::ranges::lower_bound(m_points, x, {}, &ClockPoint::x);
    std::optional<std::int64_t> result;
    if (right != m_points.end()) {
        result = ceiling_at(*right, -m_limit, x);
    }
    if (right != m_points.begin()) {
        const std::int64_t from_left = ceiling_at(*(right - 1), m_limit, x);
        result = result ? std::min(*result, from_left) : from_left;
    }
    return result;
}

void RateBounds::forget_first()
{
    m_points.erase(m_points.begin(),
                   m_points.begin() + static_cast<std::ptrdiff_t>(m_points.size() / 4));
}

/// The tightest of each of so many equal parts.
void RateBounds::thin(std::size_t most)
{
    if (m_points.size() <= most) {
        return;
    }
    const std::int64_t first = m_points.front().x;
    const Wide length = Wide{m_points.back().x} - first + 1;
    const auto part_of = [&](const ClockPoint& point) {
        return (Wide{point.x} - first) * static_cast<Wide>(most) / length;
    };
    std::size_t kept = 0;
    for (const ClockPoint& point : m_points) {
        if (kept == 0 || part_of(m_points[kept - 1]) != part_of(point)) {
            m_points[kept++] = point;
        } else if (point.gain < m_points[kept - 1].gain) {
            m_points[kept - 1] = point;
        }
    }
    m_points.resize(kept);
}

void RateBounds::raise(std::int64_t gain)
{
    for (ClockPoint& point : m_points) {
        point.gain += gain;
    }
}

} // namespace lttng_gpu::model
