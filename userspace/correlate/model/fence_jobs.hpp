// SPDX-License-Identifier: MIT
//
// Jobs known by their fences. A fence that stands for a job opens a tentative
// one; events of the job itself adopt it, so that no job is shown twice. In a
// trace without such events the fence is all there is: made = queued.
#pragma once

#include "event_spec.hpp"

namespace lttng_gpu::model {

/// A fence as its event names it.
struct FenceEvent {
    const trace::RawEvent& event;
    JobKey key;
    std::string_view driver;
    std::string_view timeline;
};

void on_scheduler_fence(NormaliserState& state, const FenceEvent& fence);
void on_hardware_fence(NormaliserState& state, const FenceEvent& fence);
void on_i915_fence(NormaliserState& state, const FenceEvent& fence);
void on_plain_fence(NormaliserState& state, const FenceEvent& fence);
void on_virtio_fence(NormaliserState& state, const FenceEvent& fence);
void on_virtio_emit(NormaliserState& state, const FenceEvent& fence);

} // namespace lttng_gpu::model
