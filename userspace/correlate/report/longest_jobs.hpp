// SPDX-License-Identifier: MIT
//
// The jobs that took longest from queued to completed. Only so many are kept, and most jobs cost
// one comparison. A job that never ended counts until the end of the window, which is known last.
#pragma once

#include "../rings/ring_table.hpp"
#include "report.hpp"

#include <vector>

namespace lttng_gpu::report {

/// Sums over the intervals of a job; no value once one interval's is unknown.
struct PhaseLengths {
    std::optional<Duration> host_queue;
    std::optional<Duration> device_queue;
    std::optional<Duration> execution;
    std::optional<Duration> whole; // from queued to completed, if it was seen to be submitted
};

/// Never less than nothing, whatever a trace says.
std::optional<Duration> whole_of(const model::Job& job);

inline constexpr std::size_t default_longest = 20;

class LongestJobs {
public:
    /// Before the first job.
    void keep(std::size_t most) { m_most = most; }
    /// `queued`: when its first interval was.
    void offer(const model::Job& job, Timestamp queued, const PhaseLengths& lengths)
    {
        const std::int64_t total = job.completed->value() - queued.value();
        if (total > m_least) [[unlikely]] {
            insert({total, queued, lengths, job});
        }
    }
    /// It has not ended.
    void offer_open(const model::Job& job, Timestamp queued, const PhaseLengths& lengths);
    /// The longest first.
    std::vector<LongJob> finish(const model::RingTable& rings, Timestamp window_end);

private:
    struct Kept {
        std::int64_t total;
        Timestamp queued;
        PhaseLengths lengths;
        model::Job job;
    };
    static bool is_longer(const Kept& left, const Kept& right)
    {
        return left.total != right.total ? left.total > right.total : left.queued < right.queued;
    }
    static void insert_into(std::vector<Kept>& heap, Kept kept, std::size_t most);
    void insert(const Kept& kept);

    std::size_t m_most = default_longest;
    std::int64_t m_least = -1; // shorter ones are not kept
    std::vector<Kept> m_ended; // heaps; the shortest is first
    std::vector<Kept> m_open;  // their totals are of queued only: the earliest is the longest
};

} // namespace lttng_gpu::report
