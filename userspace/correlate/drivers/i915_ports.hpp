// SPDX-License-Identifier: MIT
//
// What i915 does with requests between the driver's queue and the hardware, for
// execlists (two ports per engine) and the GuC: written to their ring, given to a
// port, taken off it, perhaps unfinished. Reads no events (i915.cpp does).
#pragma once

#include "i915.hpp"

namespace lttng_gpu::model {

struct I915Request {
    JobKey key;
    I915Engine& engine;
};

/// __i915_request_submit(): written to the ring buffer. Gives the job, if open.
JobIndex on_i915_execute(I915& state, Timestamp time, const I915Request& request);

/// execlists_schedule_in(); with the GuC, guc_dequeue_one_context().
JobIndex on_i915_in(I915& state, Timestamp time, const I915Request& request, std::uint64_t port);

/// __guc_add_request().
void on_i915_guc_submit(I915& state, Timestamp time, const I915Request& request);

/// execlists_schedule_out().
void on_i915_out(I915& state, Timestamp time, const I915Request& request, bool is_complete);

/// Gives the job to the ring, and before it those of its context that it carries:
/// executed, but without an event of their own.
void submit_i915(I915& state, JobIndex job, Timestamp time, RingId ring);

} // namespace lttng_gpu::model
