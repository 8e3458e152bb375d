// SPDX-License-Identifier: MIT
//
// Gives the correlator the same events twice, as a capture is read in which something is missing.
#pragma once

#include "coverage/capture_knowledge.hpp"
#include "job_feeder.hpp"

#include <deque>

namespace lttng_gpu::test {

/// Reads what `tell` tells twice, as `lttng-gpu jobs` does.
template <typename Tell> void read_twice(JobFeeder& second, Tell tell)
{
    model::CaptureFindings findings;
    JobFeeder first;
    tell(first.find_out(findings));
    first.jobs();
    static std::deque<model::CaptureKnowledge> kept; // as long as the feeders
    kept.emplace_back(findings, first.rings());
    tell(second.learn_from(kept.back()));
    second.jobs();
}

} // namespace lttng_gpu::test
