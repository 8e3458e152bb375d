// SPDX-License-Identifier: MIT
//
// Gathers the parts of one stretch of time in order. Neighbours of one reason and one culprit
// become one part; of too many, those of one reason do, wherever they lie.
#pragma once

#include "../report/window.hpp"
#include "thread_states.hpp"

namespace lttng_gpu::diagnose {

class Cut {
public:
    /// Losses of `trace` make unknown what rests on the absence of events. Parts that reach across
    /// an edge of the window are split there; null: there is none.
    Cut(const std::deque<LostTime>& lost, TraceId trace, const report::Window* window)
        : m_lost{lost}, m_trace{trace}, m_window{window}
    {
    }

    /// Times of the job are off by up to this, and those of other jobs are not.
    void set_clock_error(KnownDuration error) { m_clock_error = error; }
    void set_before(bool is_before) { m_is_before = is_before; }
    bool is_before() const { return m_is_before; }
    void set_place(PlaceInFrame place) { m_place = place; }

    /// What events show. Nothing when the time is empty.
    void add(Part part, Timestamp begin, Timestamp end);
    /// What only holds if no event is missing.
    void add_if_whole(const Part& part, Timestamp begin, Timestamp end);
    void add_unknown(Gap gap, Timestamp begin, Timestamp end);

    Cut sub() const { return Cut{m_lost, m_trace, m_window}; }
    std::vector<Part> take() { return std::move(m_parts); }

private:
    bool is_below_clock(Reason reason, Duration length) const;
    void add_piece(Part part, Timestamp begin, Timestamp end, bool is_outside);

    std::vector<Part> m_parts;
    const std::deque<LostTime>& m_lost;
    TraceId m_trace;
    const report::Window* m_window;
    KnownDuration m_clock_error;
    bool m_is_before = false;
    PlaceInFrame m_place = PlaceInFrame::None;
};

} // namespace lttng_gpu::diagnose
