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
    x_folded.add(x_values);
    for (const std::int64_t value : x_values) {
        x_histogram->add(value);
    }
    x_values.clear();
}

void LatencyDistribution::switch_to_histogram()
{
    if (!x_histogram) {
        x_histogram = std::make_unique<Histogram>();
        fold();
        x_values.shrink_to_fit();
    }
}

void LatencyDistribution::merge(const LatencyDistribution& other)
{
    if (other.x_histogram) {
        switch_to_histogram();
        x_folded.merge(other.x_folded);
        x_histogram->merge(*other.x_histogram);
    }
    x_values.insert(x_values.end(), other.x_values.begin(), other.x_values.end());
    if (x_histogram) {
        fold();
    }
}

LatencySummary LatencyDistribution::summarise() const
{
    Exact exact = x_folded;
    exact.add(x_values);
    if (exact.count == 0) {
        return {};
    }
    LatencySummary summary{
        .count = exact.count, .min = exact.min, .max = exact.max, .sum = exact.sum};
    if (x_histogram) {
        Histogram all = *x_histogram;
        for (const std::int64_t value : x_values) {
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
    std::vector<std::int64_t> values = x_values;
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
    x_unchecked = 0;
    enforce_exact();
    enforce_histograms();
    // One look costs as much as there are distributions.
    x_next_check = std::max(shortest_check, x_distributions.size());
}

void LatencyBudget::enforce_exact()
{
    std::size_t held = 0;
    for (const LatencyDistribution& distribution : x_distributions) {
        held += distribution.exact_values();
    }
    if (held <= x_exact_limit) {
        return;
    }
    // Of a few values a histogram is larger than they are. There may be millions of those.
    std::vector<LatencyDistribution*> fullest;
    for (LatencyDistribution& distribution : x_distributions) {
        if (distribution.exact_values() >= LatencyDistribution::least_for_histogram) {
            fullest.push_back(&distribution);
        }
    }
    std::stable_sort(fullest.begin(), fullest.end(), [](const auto* left, const auto* right) {
        return left->exact_values() > right->exact_values();
    });
    // Down to half, so that this is rare.
    for (LatencyDistribution* distribution : fullest) {
        if (held <= x_exact_limit / 2) {
            break;
        }
        held -= distribution->exact_values();
        distribution->switch_to_histogram();
    }
}

void LatencyBudget::enforce_histograms()
{
    const auto all_bytes = [&] {
        return std::accumulate(x_distributions.begin(), x_distributions.end(), std::size_t{0},
                               [](std::size_t sum, const LatencyDistribution& distribution) {
                                   return sum + distribution.histogram_bytes();
                               });
    };
    std::size_t bytes = all_bytes();
    while (bytes > x_histogram_limit) {
        const std::size_t mean = bytes / x_distributions.size();
        bool has_coarsened = false;
        for (LatencyDistribution& distribution : x_distributions) {
            if (distribution.histogram_bytes() >= mean && distribution.can_coarsen()) {
                distribution.coarsen();
                has_coarsened = true;
            }
        }
        bytes = all_bytes();
        if (!has_coarsened) {
            x_histogram_limit = 2 * bytes; // as small as they get: one for each process
        }
    }
}

} // namespace lttng_gpu::report
