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
    : x_limits{limits}, x_device_origin{origin.device},
      x_trace_origin{trace_of(origin)}, x_above{limits.drift}, x_below{limits.drift}
{
}

std::optional<ClockPoint> ClockPiece::point_of(std::uint64_t device, Timestamp trace,
                                               Timestamp seen) const
{
    const Wide x = Wide{device} - x_device_origin;
    const Wide gain = Wide{trace.value()} - x_trace_origin - x;
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
    return earlier(*reading.not_before, Duration{x_limits.resolution});
}

bool ClockPiece::add(std::span<const ClockReading> readings, Timestamp seen)
{
    // Of a clock that may drift at any moment, bounds are possible when each two are.
    RateBounds above{x_limits.drift};
    RateBounds below{x_limits.drift};
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
                !(is_above ? x_below : x_above).has_room_for(shown)) {
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
        BoundHull& hull = is_above ? x_hull_above : x_hull_below;
        if (!(is_above ? x_above : x_below).insert(shown) || !x_had_line) {
            continue;
        }
        if (x_is_fit && x_fit &&
            (is_above ? *x_fit : x_fit->mirrored()).greatest(hull, shown.x) <= shown.gain) {
            continue; // every line that fits keeps to it already
        }
        if (hull.insert(shown)) {
            x_is_fit = false;
        }
    }
}

void ClockPiece::keep_bounded()
{
    const bool keeps_latest = x_limits.most_points != 0;
    const std::size_t most = keeps_latest ? x_limits.most_points : x_limits.most_spread;
    for (RateBounds* bounds : {&x_above, &x_below}) {
        if (bounds->points().size() <= most) {
            continue;
        }
        if (keeps_latest) {
            bounds->forget_first();
        } else {
            bounds->thin(most / 2);
        }
    }
    for (BoundHull* hull : {&x_hull_above, &x_hull_below}) {
        if (hull->size() > most) {
            hull->thin();
            x_is_fit = false;
        }
    }
}

const std::optional<LineFit>& ClockPiece::fit() const
{
    if (!x_is_fit && x_had_line && x_hull_above.size() != 0 && x_hull_below.size() != 0) {
        x_fit = LineFit::between(x_hull_above, x_hull_below, x_limits.drift);
        x_is_fit = true;
        x_had_line = x_fit.has_value();
    }
    return x_fit;
}

std::optional<MappedTime> ClockPiece::map(std::uint64_t device) const
{
    const Wide distance = Wide{device} - x_device_origin;
    if (!is_bounded() || !is_near(distance)) {
        return {};
    }
    const auto x = static_cast<std::int64_t>(distance);
    std::int64_t most = 0;
    std::int64_t least = 0;
    if (const auto& line = fit()) {
        most = line->greatest(x_hull_above, x);
        least = -line->mirrored().greatest(x_hull_below, x);
    } else {
        most = *x_above.greatest(x);
        least = -*x_below.greatest(x);
    }
    const Wide first = Wide{x_trace_origin} + x + least;
    // The clock showed `device` until its next step.
    const Wide last = Wide{x_trace_origin} + x + most + x_limits.resolution;
    if (first < INT64_MIN || last > INT64_MAX) {
        return {};
    }
    const Wide time = first + (last - first) / 2;
    return MappedTime{Timestamp{static_cast<std::int64_t>(time)},
                      Duration{static_cast<std::int64_t>(last - time)}};
}

void ClockPiece::coarsen(std::int64_t resolution)
{
    const std::int64_t difference = resolution - x_limits.resolution;
    if (difference > 0) {
        x_limits.resolution = resolution;
        x_below.raise(difference);
        x_hull_below.raise(difference);
        x_is_fit = false;
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
        for (const ClockPoint& point : (is_above ? x_above : x_below).points()) {
            const std::int64_t gain = is_above ? point.gain : -point.gain;
            const std::int64_t lowered = is_above ? 0 : x_limits.resolution;
            const Wide trace = Wide{x_trace_origin} + point.x + gain + lowered;
            ClockReading reading{x_device_origin + static_cast<std::uint64_t>(point.x), {}, {}};
            // It was a bound once.
            (is_above ? reading.not_after : reading.not_before) =
                Timestamp{static_cast<std::int64_t>(trace)};
            bounds.push_back({reading, point.seen});
        }
    }
    std::ranges::sort(bounds, std::greater{}, &Bound::seen);
    ClockPiece later{{x_limits.drift, 0, x_limits.resolution}, next.front()};
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
    ClockPiece kept{x_limits, {x_device_origin, Timestamp{x_trace_origin}, {}}};
    for (const bool is_above : {false, true}) {
        RateBounds& bounds = is_above ? kept.x_above : kept.x_below;
        BoundHull& hull = is_above ? kept.x_hull_above : kept.x_hull_below;
        for (const ClockPoint& point : (is_above ? x_above : x_below).points()) {
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
    const double limit = value(x_limits.drift);
    if (least <= -limit || limit <= most) {
        return {};
    }
    return Drift{(least + most) / 2, (most - least) / 2};
}

} // namespace lttng_gpu::model
