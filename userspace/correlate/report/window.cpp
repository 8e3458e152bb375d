// SPDX-License-Identifier: MIT
//
// See window.hpp.
#include "window.hpp"

#include <algorithm>

namespace lttng_gpu::report {
namespace {

Timestamp resolve(TimeBound bound, Timestamp first)
{
    return bound.is_relative ? first + Duration{bound.nanoseconds} : Timestamp{bound.nanoseconds};
}

} // namespace

void Window::start(Timestamp first)
{
    m_begin = m_last = first;
    if (m_request.begin) {
        m_begin = std::max(first, resolve(*m_request.begin, first));
    } else if (m_recorded) {
        m_begin = std::max(first, m_recorded->begin);
    }
    if (m_request.end) {
        m_end = resolve(*m_request.end, first);
    } else if (m_recorded) {
        m_end = m_recorded->end + Duration{1}; // exclusive
    }
}

bool Window::finish(std::optional<Timestamp> last)
{
    if (!last) {
        m_last = m_begin;
        return false;
    }
    m_last = m_end ? std::min(*m_end, *last) : *last;
    const bool has_some = m_begin <= m_last && !(m_end && *m_end <= m_begin);
    m_last = std::max(m_last, m_begin);
    return has_some;
}

bool Window::counts(const model::Job& job) const
{
    const Timestamp time = job.submitted ? *job.submitted : first_time(job);
    return m_begin <= time && (!m_end || time < *m_end);
}

Timestamp Window::clip(Timestamp time) const
{
    const Timestamp late = std::max(time, m_begin);
    return m_end ? std::min(late, std::max(*m_end, m_begin)) : late;
}

} // namespace lttng_gpu::report
