// SPDX-License-Identifier: MIT
//
// A stretch of the trace in which the device clock was never set: everything
// known of it, and what follows for any moment of the device clock. As long as
// one line fits all bounds the clock is taken to run at one rate; after that only
// to stay inside the drift limit.
#pragma once

#include "../base/time.hpp"
#include "line_fit.hpp"
#include "rate_bounds.hpp"

#include <optional>
#include <span>

namespace lttng_gpu::model {

/// One moment of the device clock, in its nanoseconds, and what is known of when
/// it was on the trace's clock.
struct ClockReading {
    std::uint64_t device = 0;
    std::optional<Timestamp> not_before;
    std::optional<Timestamp> not_after;
};

/// The moment lay within `error` of `time`, if the clock ran at one rate or so unevenly
/// that no one rate fits. A change too small for that is not seen: see
/// docs/jobs-from-events.md.
struct MappedTime {
    Timestamp time;
    Duration error;
};

/// By how much a clock is slow against the trace's, 0: not at all.
struct Drift {
    double rate = 0;
    double error = 0; // it may be that much more or less
};

struct ClockLimits {
    Ratio drift{500, 1'000'000}; // how far a sane clock may be off its rate
    std::size_t most_points = 0; // bounds kept of each kind, the latest; 0: of the whole trace
    std::int64_t resolution = 1; // of the device clock, ns: it reads up to that too early
    std::size_t most_spread = std::size_t{1} << 18U; // with most_points 0; spread over all
};

class ClockPiece {
public:
    /// The origin is that reading, which has a bound.
    ClockPiece(const ClockLimits& limits, const ClockReading& origin);

    /// All readings of one report, or none: false when together with what is known
    /// they are impossible for a clock that was not set. `seen` must not go back.
    bool add(std::span<const ClockReading> readings, Timestamp seen);
    /// Nothing unless there are bounds from both sides. Adding forgets the fit, the
    /// next call makes it anew where a bound mattered.
    std::optional<MappedTime> map(std::uint64_t device) const;

    /// What was added last before the reports of `next` became possible in one go with
    /// those after it; nothing: not even the first. The clock was set after that.
    std::optional<Timestamp> last_sure(std::span<const ClockReading> next, Timestamp seen) const;
    /// What is known holds for a clock of coarser steps, too.
    void coarsen(std::int64_t resolution);
    /// Keeps only what was seen until then.
    void trim(Timestamp last_seen);

    bool is_line() const { return fit().has_value(); }
    std::size_t bounds_kept() const { return m_above.points().size() + m_below.points().size(); }
    bool is_bounded() const { return !m_above.points().empty() && !m_below.points().empty(); }
    /// Nothing when no line fits, or when nothing but the drift limit bounds those that do.
    std::optional<Drift> drift() const;

private:
    std::optional<ClockPoint> point_of(std::uint64_t device, Timestamp trace, Timestamp seen) const;
    /// As a bound of the moment at which the clock began to show that time.
    std::optional<Timestamp> bound_of(const ClockReading& reading, bool is_above) const;
    void add_one(const ClockReading& reading, Timestamp seen);
    void keep_bounded();
    const std::optional<LineFit>& fit() const;

    ClockLimits m_limits;
    std::uint64_t m_device_origin;
    std::int64_t m_trace_origin;
    RateBounds m_above;
    RateBounds m_below; // gains negated
    BoundHull m_hull_above;
    BoundHull m_hull_below;
    mutable bool m_had_line = true; // once none fits, none will
    mutable bool m_is_fit = false;
    mutable std::optional<LineFit> m_fit;
};

} // namespace lttng_gpu::model
