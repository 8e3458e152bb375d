// SPDX-License-Identifier: MIT
//
// See clock_piece.hpp.
#include "clock_piece.hpp"

#include <algorithm>
#include <vector>

namespace lttng_gpu::model {
namespace {

ClockPoint negated(ClockPoint point)
{
    point.gain = -point.gain;
    return point;
}

std::int64_t trace_of(const ClockReading& reading)
{
    const auto bound = reading.not_before ? reading.not_before : reading.not_after;
    return bound.value_or(Timestamp{}).value();
}

} // namespace

ClockPiece::ClockPiece(const ClockLimits& limits, const ClockReading& origin)
    : m_limits{limits}, m_device_origin{origin.device},
      m_trace_origin{trace_of(origin)}, m_above{limits.drift}, m_below{limits.drift}
{
}

std::optional<ClockPoint> ClockPiece::point_of(std::uint64_t device, Timestamp trace,
                                               Timestamp seen) const
{
    const Wide x = Wide{device} - m_device_origin;
    const Wide gain = Wide{trace.value()} - m_trace_origin - x;
    if (!is_near(x) || !is_near(gain)) {
        return {};
    }
    return ClockPoint{static_cast<std::int64_t>(x), static_cast<std::int64_t>(gain), seen.value()};
}

std::optional<Timestamp> ClockPiece::bound_of(const ClockReading& reading, bool is_above) const
{
    if (is_above) {
        return reading.not_after;
    }
    if (!reading.not_before) {
        return {};
    }
    // Read before the clock's next step, so that it shows a moment up to a step earlier.
    return earlier(*reading.not_before, Duration{m_limits.resolution});
}

bool ClockPiece::add(std::span<const ClockReading> readings, Timestamp seen)
{
    // Of a clock that may drift at any moment, bounds are possible when each two are.
    RateBounds above{m_limits.drift};
    RateBounds below{m_limits.drift};
    for (const ClockReading& reading : readings) {
        for (const bool is_above : {false, true}) {
            const auto bound = bound_of(reading, is_above);
            if (!bound) {
                continue;
            }
            const auto point = point_of(reading.device, *bound, seen);
            if (!point) {
                return false;
            }
            const ClockPoint shown = is_above ? *point : negated(*point);
            if (!(is_above ? below : above).has_room_for(shown) ||
                !(is_above ? m_below : m_above).has_room_for(shown)) {
                return false;
            }
            (is_above ? above : below).insert(shown);
        }
    }
    for (const ClockReading& reading : readings) {
        add_one(reading, seen);
    }
    keep_bounded();
    return true;
}

void ClockPiece::add_one(const ClockReading& reading, Timestamp seen)
{
    for (const bool is_above : {false, true}) {
        const auto bound = bound_of(reading, is_above);
        const auto point = bound ? point_of(reading.device, *bound, seen) : std::nullopt;
        if (!point) {
            continue;
        }
        const ClockPoint shown = is_above ? *point : negated(*point);
        BoundHull& hull = is_above ? m_hull_above : m_hull_below;
        if (!(is_above ? m_above : m_below).insert(shown) || !m_had_line) {
            continue;
        }
        if (m_is_fit && m_fit &&
            (is_above ? *m_fit : m_fit->mirrored()).greatest(hull, shown.x) <= shown.gain) {
            continue; // every line that fits keeps to it already
        }
        if (hull.insert(shown)) {
            m_is_fit = false;
        }
    }
}

void ClockPiece::keep_bounded()
{
    const bool keeps_latest = m_limits.most_points != 0;
    const std::size_t most = keeps_latest ? m_limits.most_points : m_limits.most_spread;
    for (RateBounds* bounds : {&m_above, &m_below}) {
        if (bounds->points().size() <= most) {
            continue;
        }
        if (keeps_latest) {
            bounds->forget_first();
        } else {
            bounds->thin(most / 2);
        }
    }
    for (BoundHull* hull : {&m_hull_above, &m_hull_below}) {
        if (hull->size() > most) {
            hull->thin();
            m_is_fit = false;
        }
    }
}

const std::optional<LineFit>& ClockPiece::fit() const
{
    if (!m_is_fit && m_had_line && m_hull_above.size() != 0 && m_hull_below.size() != 0) {
        m_fit = LineFit::between(m_hull_above, m_hull_below, m_limits.drift);
        m_is_fit = true;
        m_had_line = m_fit.has_value();
    }
    return m_fit;
}

std::optional<MappedTime> ClockPiece::map(std::uint64_t device) const
{
    const Wide distance = Wide{device} - m_device_origin;
    if (!is_bounded() || !is_near(distance)) {
        return {};
    }
    const auto x = static_cast<std::int64_t>(distance);
    std::int64_t most = 0;
    std::int64_t least = 0;
    if (const auto& line = fit()) {
        most = line->greatest(m_hull_above, x);
        least = -line->mirrored().greatest(m_hull_below, x);
    } else {
        most = *m_above.greatest(x);
        least = -*m_below.greatest(x);
    }
    const Wide first = Wide{m_trace_origin} + x + least;
    // The clock showed `device` until its next step.
    const Wide last = Wide{m_trace_origin} + x + most + m_limits.resolution;
    if (first < INT64_MIN || last > INT64_MAX) {
        return {};
    }
    const Wide time = first + (last - first) / 2;
    return MappedTime{Timestamp{static_cast<std::int64_t>(time)},
                      Duration{static_cast<std::int64_t>(last - time)}};
}

void ClockPiece::coarsen(std::int64_t resolution)
{
    const std::int64_t difference = resolution - m_limits.resolution;
    if (difference > 0) {
        m_limits.resolution = resolution;
        m_below.raise(difference);
        m_hull_below.raise(difference);
        m_is_fit = false;
    }
}

std::optional<Timestamp> ClockPiece::last_sure(std::span<const ClockReading> next,
                                               Timestamp seen) const
{
    struct Bound {
        ClockReading reading;
        std::int64_t seen;
    };
    std::vector<Bound> bounds;
    for (const bool is_above : {false, true}) {
        for (const ClockPoint& point : (is_above ? m_above : m_below).points()) {
            const std::int64_t gain = is_above ? point.gain : -point.gain;
            const std::int64_t lowered = is_above ? 0 : m_limits.resolution;
            const Wide trace = Wide{m_trace_origin} + point.x + gain + lowered;
            ClockReading reading{m_device_origin + static_cast<std::uint64_t>(point.x), {}, {}};
            // It was a bound once.
            (is_above ? reading.not_after : reading.not_before) =
                Timestamp{static_cast<std::int64_t>(trace)};
            bounds.push_back({reading, point.seen});
        }
    }
    std::ranges::sort(bounds, std::greater{}, &Bound::seen);
    ClockPiece later{{m_limits.drift, 0, m_limits.resolution}, next.front()};
    later.add(next, seen);
    for (const Bound& bound : bounds) {
        if (!later.add(std::span{&bound.reading, 1}, seen)) {
            return Timestamp{bound.seen};
        }
    }
    return {};
}

void ClockPiece::trim(Timestamp last_seen)
{
    ClockPiece kept{m_limits, {m_device_origin, Timestamp{m_trace_origin}, {}}};
    for (const bool is_above : {false, true}) {
        RateBounds& bounds = is_above ? kept.m_above : kept.m_below;
        BoundHull& hull = is_above ? kept.m_hull_above : kept.m_hull_below;
        for (const ClockPoint& point : (is_above ? m_above : m_below).points()) {
            if (point.seen <= last_seen.value()) {
                bounds.insert(point);
                hull.insert(point);
            }
        }
    }
    *this = std::move(kept);
}

std::optional<Drift> ClockPiece::drift() const
{
    if (!is_line()) {
        return {};
    }
    const auto value = [](const Ratio& ratio) {
        return static_cast<double>(ratio.over) / static_cast<double>(ratio.under);
    };
    const double least = value(fit()->least_drift());
    const double most = value(fit()->most_drift());
    const double limit = value(m_limits.drift);
    if (least <= -limit || limit <= most) {
        return {};
    }
    return Drift{(least + most) / 2, (most - least) / 2};
}

} // namespace lttng_gpu::model
