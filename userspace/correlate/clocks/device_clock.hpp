// SPDX-License-Identifier: MIT
//
// The clock of one device, mapped to the clock of the trace by what causality says:
// an enqueueing call began before the device queued the command, the command had
// ended when somebody saw it ended, and a reading between two moments lies between
// them. The time given is the middle of all that is possible, its error half of
// their spread: a bound for a clock that keeps its rate. Reports that no clock of that
// drift could give split the mapping: the clock was set, or the driver lies; near a
// split no time is given.
//
// Add every report first and map then, for the best mapping of a whole trace; or
// map on the way, with `most_points` set: memory is then bounded, and what is given
// holds for what was added until then.
#pragma once

#include "clock_piece.hpp"

#include <deque>

namespace lttng_gpu::model {

class DeviceClock {
public:
    explicit DeviceClock(const ClockLimits& limits = {}) : m_limits{limits} {}

    /// What one event tells; readings without a bound do no harm. `seen` is that
    /// event's time and must not go back.
    void add(std::span<const ClockReading> readings, Timestamp seen);

    /// The clock makes steps of so many ns, as far as is known now. What was known before
    /// is kept, weakened where they are coarser; finer ones change nothing.
    void coarsen(std::int64_t resolution);

    /// A time of a report that was seen then. Nothing: too little is known, or the
    /// clock was set about that time.
    std::optional<MappedTime> map(std::uint64_t device, Timestamp seen) const;

    /// Bounds that were used.
    std::uint64_t bounds() const { return m_bounds; }
    /// Reports that contradict themselves, left out.
    std::uint64_t reports_refused() const { return m_refused; }
    /// How often the clock was set, or seemed so.
    std::uint64_t splits() const { return m_splits; }
    /// The piece that the trace ends with; none before the first report.
    const ClockPiece* last_piece() const
    {
        return m_pieces.empty() ? nullptr : &m_pieces.back().piece;
    }

private:
    struct Stretch {
        ClockPiece piece;
        Timestamp first;                    // seen
        std::optional<Timestamp> last_sure; // none: this is the last stretch
    };
    /// Of the stretches before these nothing is known any more.
    static constexpr std::size_t most_stretches = 4096;
    static constexpr std::size_t most_stretches_on_the_way = 16;

    void split(std::span<const ClockReading> readings, Timestamp seen);

    ClockLimits m_limits;
    std::deque<Stretch> m_pieces;
    std::uint64_t m_bounds = 0;
    std::uint64_t m_refused = 0;
    std::uint64_t m_splits = 0;
};

} // namespace lttng_gpu::model
