// SPDX-License-Identifier: MIT
//
// What tells a job from all others in every reading of one trace, so that what another reading
// finds out about it gets to its place in the page.
#pragma once

#include "../correlate/jobs/job.hpp"

namespace lttng_gpu::view {

struct JobIdentity {
    Known<RingId> ring; // of this reading
    model::FenceId fence;
    Timestamp first;
    std::uint16_t interval = 0;
};

inline JobIdentity identity_of(const model::Job& job)
{
    return {job.ring, job.fence, first_time(job), job.interval};
}

/// A job's number in the page, and which job it is.
struct NumberedJob {
    std::uint64_t number = 0;
    JobIdentity identity;
};

} // namespace lttng_gpu::view
