// SPDX-License-Identifier: MIT
//
// What the jobs of each API call, or of each kernel that it named, took. Kept for each ring, as
// drivers are known at the end only. Distributions have a budget of their own, so that the
// figures of rings are as exact without this table.
#pragma once

#include "../rings/ring_table.hpp"
#include "key_index.hpp"
#include "report.hpp"

#include <deque>

namespace lttng_gpu::report {

class CallTable {
public:
    void add(const model::Job& job, std::optional<Duration> waited,
             std::optional<Duration> execution);
    /// Most time first, driver by driver.
    std::vector<CallReport> finish(const model::RingTable& rings) const;

private:
    static constexpr std::size_t most_exact_values = 1U << 19U;
    static constexpr std::size_t most_histogram_bytes = 16U << 20U;
    static constexpr std::size_t most_calls = 1U << 14U; // the rest is one row without a name

    struct Key {
        RingId ring;
        StringId call;
        StringId group; // the debug group in which it was made

        std::uint64_t hash() const
        {
            return mix_hash(mix_hash(call.value(), group.value()), ring.value());
        }

        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Call {
        std::uint64_t count = 0;
        std::uint64_t failed = 0;
        std::uint64_t bytes = 0;
        std::uint64_t timed_bytes = 0; // of jobs whose execution is known
        std::int64_t moving = 0;       // the time that these took
        LatencyDistribution* waited = nullptr;
        LatencyDistribution* execution = nullptr;
    };

    LatencyBudget m_budget{most_exact_values, most_histogram_bytes};
    KeyIndex<Key> m_index;
    std::deque<Call> m_calls;
};

} // namespace lttng_gpu::report
