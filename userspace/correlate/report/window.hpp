// SPDX-License-Identifier: MIT
//
// The stretch of time a report is about. Asked for in absolute nanoseconds or
// relative to the first event; never larger than the trace, because nothing is
// known outside of it. A job counts when it was submitted inside.
#pragma once

#include "../base/time_span.hpp"
#include "../jobs/job.hpp"

namespace lttng_gpu::report {

struct TimeBound {
    bool is_relative = false; // to the first event of the trace
    std::int64_t nanoseconds = 0;
};

struct WindowRequest {
    std::optional<TimeBound> begin;
    std::optional<TimeBound> end;
};

/// Bounds of different kinds can only be compared once the trace is known.
constexpr bool is_empty(const WindowRequest& window)
{
    return window.begin && window.end && window.begin->is_relative == window.end->is_relative &&
           window.begin->nanoseconds >= window.end->nanoseconds;
}

class Window {
public:
    explicit Window(WindowRequest request) : m_request{request} {}

    /// Where nothing else was asked for, the window is this part of the trace. Before start().
    void set_recorded(TimeSpan recorded) { m_recorded = recorded; }
    /// The first event was read: both bounds are known, except an open end.
    void start(Timestamp first);
    /// The trace is over: the end is known. False when nothing is left.
    bool finish(std::optional<Timestamp> last);

    Timestamp begin() const { return m_begin; }
    /// Only after finish().
    Timestamp end() const { return m_last; }
    Duration length() const { return m_last - m_begin; }

    bool counts(const model::Job& job) const;
    /// The part of a time that lies inside; an open end clips nothing.
    Timestamp clip(Timestamp time) const;

private:
    WindowRequest m_request;
    std::optional<TimeSpan> m_recorded;
    Timestamp m_begin;
    std::optional<Timestamp> m_end; // as asked for; exclusive
    Timestamp m_last;               // the end in effect
};

} // namespace lttng_gpu::report
