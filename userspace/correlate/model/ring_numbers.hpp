// SPDX-License-Identifier: MIT
//
// The numbers of the jobs of one scheduler, which counts them one by one when they are armed
// (job_id_count in struct drm_gpu_scheduler; drm_sched_job_init() up to 5.15, drm_sched_job_arm()
// since 5.16, v4.17 to v6.16). Several threads push what they armed in any order, so a number
// that is passed over is missing only when many after it have come.
#pragma once

#include "../base/time_span.hpp"

#include <cstdint>
#include <vector>

namespace lttng_gpu::model {

class RingNumbers {
public:
    struct MissingNumber {
        std::uint64_t id = 0;
        TimeSpan when; // between the events of its neighbours
    };

    /// Gives the numbers that are known to be missing now.
    std::vector<MissingNumber> note(std::uint64_t id, Timestamp time);
    /// It was queued at this time.
    void note_queued(std::uint64_t id, Timestamp time)
    {
        if (!x_has_queued || id < x_queued_id) {
            x_has_queued = true;
            x_queued_id = id;
            x_queued = time;
        }
    }
    /// It was met at this time, but its queue event was not. When an earlier number was queued in
    /// the trace, so was this one. Numbers are given just before, so the next one may have been
    /// queued by another thread at the same time.
    void note_unqueued(std::uint64_t id, Timestamp time)
    {
        constexpr std::size_t most = 4096;
        if (x_has_queued && id > x_queued_id + 1 && x_queued <= time && x_unqueued.size() < most) {
            x_unqueued.push_back({time, time}); // it was queued before; how long, nothing tells
        }
    }
    const std::vector<TimeSpan>& unqueued() const { return x_unqueued; }
    /// A number was met twice; how often so far.
    std::uint32_t count_same() { return ++x_same; }
    /// After the last event: those that enough others came after.
    std::vector<MissingNumber> finish();

private:
    /// So many later ones show that a number will not come any more.
    static constexpr std::uint64_t patience = 64;
    static constexpr std::uint64_t patience_at_end = 8;
    /// A greater step is another scheduler, or a reload of the driver.
    static constexpr std::uint64_t most_missing = 1U << 16U;

    std::vector<MissingNumber> take_before(std::uint64_t id);

    bool x_has_any = false;
    bool x_has_queued = false;
    std::uint64_t x_queued_id = 0; // the least
    Timestamp x_queued;
    std::vector<TimeSpan> x_unqueued;
    std::uint32_t x_same = 0;
    std::uint64_t x_latest = 0;
    Timestamp x_time;                     // of the latest
    std::vector<MissingNumber> x_awaited; // in order
};

} // namespace lttng_gpu::model
