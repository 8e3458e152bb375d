// SPDX-License-Identifier: MIT
//
// The fences that a thread makes for jobs of drm_sched. drm_sched_fence_init() makes two for each,
// the scheduled and the finished one; drm_sched_entity_push_job(), in the same thread, pushes what
// was armed before in the same order.
#pragma once

#include "../jobs/job_tracker.hpp"

#include <array>
#include <optional>

namespace lttng_gpu::model {

/// A finished fence whose job has not been pushed yet.
struct ArmedFence {
    JobKey key;
    RingId ring;
    JobRef tentative;
    Timestamp time;
    Cpu cpu;
};

/// The fences that a thread has made.
struct MadeFences {
    JobKey scheduled; // the fence that was made last, perhaps a scheduled fence
    bool has_scheduled = false;
    bool is_scheduled_first = false; // of the thread's
    bool is_scheduled_sure = false;  // nothing of the thread may be missing before it
    Timestamp scheduled_time;
    std::optional<Timestamp> last_init;
    std::array<ArmedFence, 8> armed; // oldest first
    std::uint8_t armed_count = 0;
    Timestamp group_begun; // the first fence of the jobs below was made
    /// Jobs that the thread armed before it pushed one of them, and pushed then.
    unsigned group_armed = 0;
    unsigned group_pushed = 0;
    Timestamp pushed; // the last of them

    void arm(const ArmedFence& fence)
    {
        if (armed_count == armed.size()) {
            disarm(0);
        }
        armed[armed_count++] = fence;
    }
    void disarm(std::size_t at)
    {
        for (; at + 1 < armed_count; ++at) {
            armed[at] = armed[at + 1];
        }
        --armed_count;
    }
};

} // namespace lttng_gpu::model
