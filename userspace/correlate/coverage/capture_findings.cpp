// SPDX-License-Identifier: MIT
//
// See capture_findings.hpp.
#include "capture_findings.hpp"

#include <algorithm>

namespace lttng_gpu::model {
namespace {

void widen(TimeSpan& span, const TimeSpan& other)
{
    span.begin = std::min(span.begin, other.begin);
    span.end = std::max(span.end, other.end);
}

} // namespace

/// When there are too many, what comes is added to the last.
void CaptureFindings::add(const MissingEvents& missing)
{
    if (m_missing.size() < most_missing) {
        m_missing.push_back(missing);
        return;
    }
    MissingEvents& last = m_missing.back();
    last.jobs += missing.jobs;
    last.what = missing.what == Missing::WholeJob ? missing.what : last.what;
    last.is_announced = last.is_announced && missing.is_announced;
    widen(last.when, missing.when);
    last.ring.reset();
    if (!missing.run) {
        return;
    }
    if (!last.run) {
        last.run = missing.run;
    }
    widen(last.run->submitted, missing.run->submitted);
    last.run->ended_by = std::max(last.run->ended_by, missing.run->ended_by);
}

void CaptureFindings::add_hardware(TraceId trace, std::string_view ring, std::uint64_t context,
                                   Timestamp time)
{
    constexpr std::size_t most_contexts = 1024;
    for (HardwareContext& known : hardware) {
        if (known.context == context && known.trace == trace && known.ring == ring) {
            known.used.end = time;
            return;
        }
    }
    if (hardware.size() < most_contexts) {
        hardware.push_back({trace, std::string{ring}, context, {time, time}});
    }
}

void CaptureFindings::add_unqueued(TraceId trace, Timestamp time)
{
    auto& unqueued = m_whole[trace].unqueued;
    if (unqueued.size() < most_whole) {
        unqueued.push_back(time);
    }
}

void CaptureFindings::add_pending(const PendingJob& job)
{
    if (m_pending.size() == most_whole) {
        m_pending.pop_front();
    }
    m_pending.push_back(job);
}

std::uint64_t CaptureFindings::count_unqueued(TraceId trace, TimeSpan span)
{
    const auto& unqueued = m_whole[trace].unqueued;
    return static_cast<std::uint64_t>(
        std::count_if(unqueued.begin(), unqueued.end(),
                      [span](Timestamp time) { return span.begin <= time && time <= span.end; }));
}

} // namespace lttng_gpu::model
