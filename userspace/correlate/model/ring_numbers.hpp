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
    std::uint32_t x_same = 0;
    std::uint64_t x_latest = 0;
    Timestamp x_time;                     // of the latest
    std::vector<MissingNumber> x_awaited; // in order
};

} // namespace lttng_gpu::model
