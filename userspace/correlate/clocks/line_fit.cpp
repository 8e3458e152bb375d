// SPDX-License-Identifier: MIT
//
// See line_fit.hpp. For a drift d the offsets allowed lie between
// A(d) = min over the points above of (gain - d x) and the like from below; the
// room between the two is a concave function of d, made of straight parts.
#include "line_fit.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

using Points = std::span<const ClockPoint>;

/// Whether a line of that drift passes under `above` and over `below`.
bool has_room(const ClockPoint& above, const ClockPoint& below, const Ratio& drift)
{
    return (Wide{above.gain} + below.gain) * drift.under >=
           Wide{drift.over} * (Wide{above.x} - below.x);
}

/// The least drift from -limit on that leaves room. Walks along both hulls,
/// from one straight part of the room to the next.
std::optional<Ratio> find_least_drift(Points above, Points below, const Ratio& limit)
{
    Ratio drift = -limit;
    ClockPoint upper = touching(above, drift);
    if (has_room(upper, touching(below, -drift), drift)) {
        return drift;
    }
    auto next_above = std::ranges::find(above, upper.x, &ClockPoint::x) + 1;
    // From below the drift is negated: the touching point moves to the left.
    auto lower = std::ranges::find(below, touching(below, -drift).x, &ClockPoint::x);
    while (drift < limit) {
        Ratio end = limit;
        const Ratio upper_end = next_above != above.end() ? slope_of(upper, *next_above) : limit;
        const Ratio lower_end = lower != below.begin() ? -slope_of(*(lower - 1), *lower) : limit;
        end = std::min({end, upper_end, lower_end});
        if (has_room(upper, *lower, end)) {
            const Ratio crossing{upper.gain + lower->gain, upper.x - lower->x};
            return crossing.under < 0 ? Ratio{-crossing.over, -crossing.under} : end;
        }
        if (!(end < limit)) {
            break;
        }
        if (!(end < upper_end) && next_above != above.end()) {
            upper = *next_above++;
        }
        if (!(end < lower_end) && lower != below.begin()) {
            --lower;
        }
        drift = end;
    }
    return {};
}

/// The device clock running backwards: what was the most drift is then the least.
std::vector<ClockPoint> reversed(Points points)
{
    std::vector<ClockPoint> result{points.rbegin(), points.rend()};
    for (ClockPoint& point : result) {
        point.x = -point.x;
    }
    return result;
}

} // namespace

std::optional<LineFit> LineFit::between(const BoundHull& above, const BoundHull& below,
                                        const Ratio& drift_limit)
{
    const auto least = find_least_drift(above.points(), below.points(), drift_limit);
    if (!least) {
        return {};
    }
    const auto most =
        find_least_drift(reversed(above.points()), reversed(below.points()), drift_limit);
    return LineFit{*least, most ? -*most : *least};
}

std::int64_t LineFit::greatest(const BoundHull& above, std::int64_t x) const
{
    const Points points = above.points();
    const auto right = std::ranges::lower_bound(points, x, {}, &ClockPoint::x);
    const bool is_point = right != points.end() && right->x == x;
    const auto after = is_point ? right + 1 : right; // the first point right of x
    if (after != points.end() && after != points.begin() &&
        slope_of(*(after - 1), *after) < m_least) {
        return ceiling_at(touching(points, m_least), m_least, x);
    }
    if (after != points.begin() && right != points.end() && right != points.begin() &&
        m_most < slope_of(*(right - 1), *right)) {
        return ceiling_at(touching(points, m_most), m_most, x);
    }
    if (is_point) {
        return right->gain;
    }
    if (right == points.begin()) { // left of all: the least steep line is the highest
        return ceiling_at(touching(points, m_least), m_least, x);
    }
    if (right == points.end()) {
        return ceiling_at(touching(points, m_most), m_most, x);
    }
    return ceiling_at(*(right - 1), slope_of(*(right - 1), *right), x);
}

} // namespace lttng_gpu::model
