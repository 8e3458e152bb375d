// SPDX-License-Identifier: MIT
//
// See frame_history.hpp.
#include "frame_history.hpp"

#include <algorithm>

namespace lttng_gpu::model {

template <typename Value> Duration FrameHistory::median(Value value) const
{
    std::array<Duration, most_frames> values{};
    auto* const end = std::ranges::transform(m_frames, values.begin(), value).out;
    auto* const middle = values.begin() + (m_frames.size() - 1) / 2;
    std::nth_element(values.begin(), middle, end);
    return *middle;
}

FramePart FrameHistory::cause_of(const Frame& frame) const
{
    FramePart cause = FramePart::Unknown;
    Duration most{0};
    for (std::size_t part = 0; part < frame_parts; ++part) {
        const Duration usual = median([part](const Entry& entry) { return entry.parts[part]; });
        const Duration excess{frame.parts[part].value() - usual.value()};
        if (excess > most) {
            most = excess;
            cause = static_cast<FramePart>(part);
        }
    }
    return cause;
}

void FrameHistory::judge(Frame& frame)
{
    const auto interval = frame.interval();
    if (!interval) {
        return;
    }
    if (m_frames.size() >= least_frames) {
        frame.cadence = median(&Entry::interval);
        const bool is_late =
            interval->value() > frame.cadence->value() + frame.cadence->value() / 2;
        frame.lateness = is_late ? Lateness::Late : Lateness::OnTime;
        frame.late_by = is_late && frame.in_calls ? cause_of(frame) : FramePart::Unknown;
    }
    if (m_frames.size() == most_frames) {
        m_frames.pop_front();
    }
    m_frames.push_back({*interval, frame.parts});
}

} // namespace lttng_gpu::model
