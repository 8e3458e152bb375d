// SPDX-License-Identifier: MIT
//
// Queue events that are missing although nothing announces it and no rule of a driver
// proves it: a job that was run long after the trace began, far longer than any job
// waited whose queue event was seen, was most likely queued in the trace. One thread's
// queue events are on the CPU that it runs on, so this is how a CPU that was not
// recorded shows where a driver's jobs have no order by which to tell.
#pragma once

#include "job.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

namespace lttng_gpu::model {

/// Jobs of one trace, in the order of their rows.
class HostWaits {
public:
    void add(const Job& job)
    {
        if (!job.submitted || job.interval > 0) {
            return; // preempted: the submission is not the first one
        }
        if (m_seen++ == 0) {
            m_begin = first_time(job);
        }
        if (job.queued) {
            ++m_waits;
            m_longest = std::max(m_longest, *job.submitted - *job.queued);
        } else if (*job.submitted > m_begin) {
            ++m_unqueued.at(power_of(*job.submitted - m_begin));
        }
    }

    /// Jobs without a queue event that would have waited more than four times as long as any other.
    std::uint64_t unlikely() const
    {
        if (m_waits < least_waits) {
            return 0;
        }
        const auto from = std::min(power_of(m_longest) + 3, m_unqueued.size());
        return std::accumulate(m_unqueued.begin() + static_cast<std::ptrdiff_t>(from),
                               m_unqueued.end(), std::uint64_t{0});
    }

private:
    static constexpr std::uint64_t least_waits = 16;

    /// 2^(power - 1) <= length < 2^power
    static constexpr std::size_t power_of(Duration length)
    {
        return std::bit_width(
            static_cast<std::uint64_t>(std::max<std::int64_t>(length.value(), 0)));
    }

    std::uint64_t m_seen = 0;
    std::uint64_t m_waits = 0;
    Timestamp m_begin{0};
    Duration m_longest{0};
    std::array<std::uint64_t, 65> m_unqueued{};
};

} // namespace lttng_gpu::model
