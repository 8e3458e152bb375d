// SPDX-License-Identifier: MIT
//
// The latest frames of a surface, by which the next one is judged: its cadence is the median of
// their intervals, and a late frame is late by the part that exceeds its own median by the most.
#pragma once

#include "frame.hpp"

#include <deque>

namespace lttng_gpu::model {

class FrameHistory {
public:
    /// Says whether the frame is late, and adds it.
    void judge(Frame& frame);

private:
    static constexpr std::size_t most_frames = 32;
    static constexpr std::size_t least_frames = 8; // fewer are no cadence

    struct Entry {
        Duration interval;
        FrameParts parts;
    };

    FramePart cause_of(const Frame& frame) const;
    template <typename Value> Duration median(Value value) const;

    std::deque<Entry> m_frames;
};

} // namespace lttng_gpu::model
