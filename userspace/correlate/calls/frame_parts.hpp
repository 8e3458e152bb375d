// SPDX-License-Identifier: MIT
//
// What the time of a frame was spent with. Each moment of its interval belongs to one part, so
// that the parts add up to it and their growth says which one made a frame late.
#pragma once

#include "../base/time_span.hpp"
#include "frame.hpp"

#include <vector>

namespace lttng_gpu::model {

/// The times of a job of a frame.
struct JobLife {
    Timestamp queued;
    KnownTime submitted;
    KnownTime started;
    KnownTime completed;
    KnownTime observed;
    bool is_first = true; // interval of a job
    bool is_by_time = false;
    FrameJob id{};
};

/// The union of spans, in order of time. They may overlap and come in any order.
std::vector<TimeSpan> united(std::vector<TimeSpan> spans);
Duration length_of(const std::vector<TimeSpan>& united_spans);

/// Of a frame with a begin; `calls` are united, `jobs` those of the surface that may have been
/// under way then.
FrameParts parts_of(const Frame& frame, const std::vector<TimeSpan>& calls,
                    const std::vector<JobLife>& jobs);

/// Figures of the frame that are those of its jobs.
void sum_up(Frame& frame, const std::vector<JobLife>& jobs);

} // namespace lttng_gpu::model
