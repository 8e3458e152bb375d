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
    x_begin = x_last = first;
    if (x_request.begin) {
        x_begin = std::max(first, resolve(*x_request.begin, first));
    } else if (x_recorded) {
        x_begin = std::max(first, x_recorded->begin);
    }
    if (x_request.end) {
        x_end = resolve(*x_request.end, first);
    } else if (x_recorded) {
        x_end = x_recorded->end + Duration{1}; // exclusive
    }
}

bool Window::finish(std::optional<Timestamp> last)
{
    if (!last) {
        x_last = x_begin;
        return false;
    }
    x_last = x_end ? std::min(*x_end, *last) : *last;
    const bool has_some = x_begin <= x_last && !(x_end && *x_end <= x_begin);
    x_last = std::max(x_last, x_begin);
    return has_some;
}

bool Window::counts(const model::Job& job) const
{
    const Timestamp time = job.submitted ? *job.submitted : first_time(job);
    return x_begin <= time && (!x_end || time < *x_end);
}

Timestamp Window::clip(Timestamp time) const
{
    const Timestamp late = std::max(time, x_begin);
    return x_end ? std::min(late, std::max(*x_end, x_begin)) : late;
}

} // namespace lttng_gpu::report
