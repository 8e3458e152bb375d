// SPDX-License-Identifier: MIT
//
// See latency.hpp. Nearest rank: the smallest value such that at least p percent
// of all values are not larger; always a value that occurred, or, of a
// histogram, the middle of its bucket.
#include "latency.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lttng_gpu::report {
namespace {

std::int64_t saturated_sum(std::int64_t left, std::int64_t right)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(left, right, &sum) ? std::numeric_limits<std::int64_t>::max()
                                                     : sum;
}

/// rank = ceil(count * percent / 100), without overflow.
std::uint64_t rank_of(std::uint64_t count, std::uint64_t percent)
{
    return count / 100 * percent + (count % 100 * percent + 99) / 100;
}

} // namespace

void LatencyDistribution::Exact::add(const std::vector<std::int64_t>& values)
{
    count += values.size();
    for (const std::int64_t value : values) {
        min = std::min(min, value);
        max = std::max(max, value);
        sum = saturated_sum(sum, value);
    }
}

void LatencyDistribution::Exact::merge(const Exact& other)
{
    count += other.count;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    sum = saturated_sum(sum, other.sum);
}

void LatencyDistribution::fold()
{
    m_folded.add(m_values);
    for (const std::int64_t value : m_values) {
        m_histogram->add(value);
    }
    m_values.clear();
}

void LatencyDistribution::switch_to_histogram()
{
    if (!m_histogram) {
        m_histogram = std::make_unique<Histogram>();
        fold();
        m_values.shrink_to_fit();
    }
}

void LatencyDistribution::merge(const LatencyDistribution& other)
{
    if (other.m_histogram) {
        switch_to_histogram();
        m_folded.merge(other.m_folded);
        m_histogram->merge(*other.m_histogram);
    }
    m_values.insert(m_values.end(), other.m_values.begin(), other.m_values.end());
    if (m_histogram) {
        fold();
    }
}

LatencySummary LatencyDistribution::summarise() const
{
    Exact exact = m_folded;
    exact.add(m_values);
    if (exact.count == 0) {
        return {};
    }
    LatencySummary summary{
        .count = exact.count, .min = exact.min, .max = exact.max, .sum = exact.sum};
    if (m_histogram) {
        Histogram all = *m_histogram;
        for (const std::int64_t value : m_values) {
            all.add(value);
        }
        const auto at = [&](std::uint64_t percent) {
            const std::uint64_t rank = rank_of(exact.count, percent);
            return rank == exact.count ? exact.max
                                       : std::clamp(all.at_rank(rank), exact.min, exact.max);
        };
        summary.p50 = at(50);
        summary.p90 = at(90);
        summary.p99 = at(99);
        summary.error_ratio = all.error_ratio();
        return summary;
    }
    std::vector<std::int64_t> values = m_values;
    auto end = values.end();
    // Largest rank first: what lies behind it need not be looked at for the others.
    const auto at = [&](std::uint64_t percent) {
        const auto place =
            values.begin() + static_cast<std::ptrdiff_t>(rank_of(exact.count, percent) - 1);
        if (place < end) { // else the same as the one before
            std::nth_element(values.begin(), place, end);
            end = place;
        }
        return *place;
    };
    summary.p99 = at(99);
    summary.p90 = at(90);
    summary.p50 = at(50);
    return summary;
}

void LatencyBudget::enforce()
{
    m_unchecked = 0;
    enforce_exact();
    enforce_histograms();
    // One look costs as much as there are distributions.
    m_next_check = std::max(shortest_check, m_distributions.size());
}

void LatencyBudget::enforce_exact()
{
    std::size_t held = 0;
    for (const LatencyDistribution& distribution : m_distributions) {
        held += distribution.exact_values();
    }
    if (held <= m_exact_limit) {
        return;
    }
    // Of a few values a histogram is larger than they are. There may be millions of those.
    std::vector<LatencyDistribution*> fullest;
    for (LatencyDistribution& distribution : m_distributions) {
        if (distribution.exact_values() >= LatencyDistribution::least_for_histogram) {
            fullest.push_back(&distribution);
        }
    }
    std::stable_sort(fullest.begin(), fullest.end(), [](const auto* left, const auto* right) {
        return left->exact_values() > right->exact_values();
    });
    // Down to half, so that this is rare.
    for (LatencyDistribution* distribution : fullest) {
        if (held <= m_exact_limit / 2) {
            break;
        }
        held -= distribution->exact_values();
        distribution->switch_to_histogram();
    }
}

void LatencyBudget::enforce_histograms()
{
    const auto all_bytes = [&] {
        return std::accumulate(m_distributions.begin(), m_distributions.end(), std::size_t{0},
                               [](std::size_t sum, const LatencyDistribution& distribution) {
                                   return sum + distribution.histogram_bytes();
                               });
    };
    std::size_t bytes = all_bytes();
    while (bytes > m_histogram_limit) {
        const std::size_t mean = bytes / m_distributions.size();
        bool has_coarsened = false;
        for (LatencyDistribution& distribution : m_distributions) {
            if (distribution.histogram_bytes() >= mean && distribution.can_coarsen()) {
                distribution.coarsen();
                has_coarsened = true;
            }
        }
        bytes = all_bytes();
        if (!has_coarsened) {
            m_histogram_limit = 2 * bytes; // as small as they get: one for each process
        }
    }
}

} // namespace lttng_gpu::report
