// SPDX-License-Identifier: MIT
//
// The latencies of one phase and their nearest-rank percentiles. Values are kept
// as they are while the whole report holds at most a fixed number of them; then
// the distributions that hold the most become histograms, whose percentiles are
// off by a stated part. Count, sum, least and largest value are always exact.
#pragma once

#include "../base/time.hpp"
#include "histogram.hpp"

#include <deque>
#include <limits>
#include <memory>
#include <vector>

namespace lttng_gpu::report {

/// All zero when count is zero.
struct LatencySummary {
    std::uint64_t count = 0;
    std::int64_t min = 0;
    std::int64_t p50 = 0;
    std::int64_t p90 = 0;
    std::int64_t p99 = 0;
    std::int64_t max = 0;
    std::int64_t sum = 0;
    double error_ratio = 0; // of the percentiles; 0: exact
};

/// One that most processes do not have: of none, a pointer is all that it takes.
class RareSummary {
public:
    RareSummary() = default;
    RareSummary(const LatencySummary& summary)
        : m_summary{summary.count > 0 ? std::make_shared<const LatencySummary>(summary) : nullptr}
    {
    }
    operator const LatencySummary&() const { return m_summary ? *m_summary : none; }
    const LatencySummary* operator->() const { return m_summary ? m_summary.get() : &none; }

private:
    static constexpr LatencySummary none{};

    std::shared_ptr<const LatencySummary> m_summary;
};

class LatencyDistribution {
public:
    /// The values themselves take no more memory than the coarsest histogram.
    static constexpr std::size_t least_for_histogram = 128;

    void add(Duration latency)
    {
        m_values.push_back(latency.value());
        if (m_histogram && m_values.size() >= piece) {
            fold();
        }
    }
    /// As if all values of the other had been added here.
    void merge(const LatencyDistribution& other);
    LatencySummary summarise() const;

    void switch_to_histogram();
    bool can_coarsen() const { return m_histogram && !m_histogram->is_coarsest(); }
    void coarsen() { m_histogram->coarsen(); }

    std::size_t exact_values() const { return m_histogram ? 0 : m_values.size(); }
    std::size_t histogram_bytes() const { return m_histogram ? m_histogram->bytes() : 0; }

private:
    /// Counts are spread over memory: going there with many values at once is faster.
    static constexpr std::size_t piece = 512;

    struct Exact {
        std::uint64_t count = 0;
        std::int64_t min = std::numeric_limits<std::int64_t>::max();
        std::int64_t max = std::numeric_limits<std::int64_t>::min();
        std::int64_t sum = 0;

        void add(const std::vector<std::int64_t>& values);
        void merge(const Exact& other);
    };

    void fold();

    std::vector<std::int64_t> m_values; // those not in the histogram
    std::unique_ptr<Histogram> m_histogram;
    Exact m_folded; // of those in the histogram
};

/// Owns all distributions of a report and keeps their memory within limits.
class LatencyBudget {
public:
    static constexpr std::size_t default_exact_values = 1U << 20U;
    static constexpr std::size_t default_histogram_bytes = 32U << 20U;

    LatencyBudget() = default;
    LatencyBudget(std::size_t exact_values, std::size_t histogram_bytes)
        : m_exact_limit{exact_values}, m_histogram_limit{histogram_bytes}
    {
    }

    LatencyDistribution& make() { return m_distributions.emplace_back(); }
    /// To be called when values were added; looks at the limits now and then.
    void on_added(std::size_t values)
    {
        m_unchecked += values;
        if (m_unchecked >= m_next_check) {
            enforce();
        }
    }
    void enforce();

private:
    static constexpr std::size_t shortest_check = 1U << 12U;

    void enforce_exact();
    void enforce_histograms();

    std::deque<LatencyDistribution> m_distributions; // a deque never moves its elements
    std::size_t m_exact_limit = default_exact_values;
    std::size_t m_histogram_limit = default_histogram_bytes;
    std::size_t m_unchecked = 0;
    std::size_t m_next_check = shortest_check;
};

} // namespace lttng_gpu::report
