// SPDX-License-Identifier: MIT
//
// All lines trace = device + offset + drift * device that pass between two
// hulls, with the drift inside a limit. Of them only the extremes are kept: the
// least and the greatest drift, and with the hulls these tell what values the
// lines take at any moment of the device clock.
#pragma once

#include "bound_hull.hpp"

#include <optional>

namespace lttng_gpu::model {

class LineFit {
public:
    /// `below` holds negated gains. Nothing: no such line. Both hulls have points.
    static std::optional<LineFit> between(const BoundHull& above, const BoundHull& below,
                                          const Ratio& drift_limit);

    /// The greatest gain any of the lines has at x, rounded up. The hull must be the
    /// one of the fit; for the least gain, see `mirrored`.
    std::int64_t greatest(const BoundHull& above, std::int64_t x) const;
    /// The same lines seen from below: the greatest of the negated gains.
    LineFit mirrored() const { return {-m_most, -m_least}; }

    Ratio least_drift() const { return m_least; }
    Ratio most_drift() const { return m_most; }

private:
    LineFit(const Ratio& least, const Ratio& most) : m_least{least}, m_most{most} {}

    Ratio m_least;
    Ratio m_most;
};

} // namespace lttng_gpu::model
