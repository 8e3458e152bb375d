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

private:
    /// So many later ones show that a number will not come any more.
    static constexpr std::uint64_t patience = 64;
    /// A greater step is another scheduler, or a reload of the driver.
    static constexpr std::uint64_t most_missing = 1U << 16U;

    bool x_has_any = false;
    std::uint64_t x_latest = 0;
    Timestamp x_time;                     // of the latest
    std::vector<MissingNumber> x_awaited; // in order
};

} // namespace lttng_gpu::model
