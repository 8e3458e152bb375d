// SPDX-License-Identifier: MIT
//
// Percentiles are exact while all values are kept, and within the error that
// they state when they are not; memory stays within its limits.
#include "report/latency.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>
#include <random>

using namespace lttng_gpu;
using namespace lttng_gpu::report;

namespace {

using Values = std::vector<std::int64_t>;

/// Latencies of all sizes, from nanoseconds to minutes.
Values random_values(std::uint64_t seed, std::size_t count)
{
    std::mt19937_64 random{seed};
    std::lognormal_distribution<double> distribution{10.0, 4.0};
    Values values;
    for (std::size_t index = 0; index < count; ++index) {
        values.push_back(static_cast<std::int64_t>(distribution(random)));
    }
    return values;
}

void add_all(LatencyDistribution& distribution, const Values& values)
{
    for (const std::int64_t value : values) {
        distribution.add(Duration{value});
    }
}

std::int64_t nearest_rank(Values values, std::size_t percent)
{
    std::sort(values.begin(), values.end());
    return values[(values.size() * percent + 99) / 100 - 1];
}

bool is_within(std::int64_t got, std::int64_t exact, double ratio)
{
    return std::abs(static_cast<double>(got - exact)) <= ratio * static_cast<double>(exact);
}

void check_summary(const LatencySummary& summary, const Values& values, double error_ratio)
{
    CHECK(summary.error_ratio == error_ratio);
    CHECK(summary.count == values.size());
    CHECK(summary.min == *std::min_element(values.begin(), values.end()));
    CHECK(summary.max == *std::max_element(values.begin(), values.end()));
    CHECK(summary.sum == std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    CHECK(is_within(summary.p50, nearest_rank(values, 50), error_ratio));
    CHECK(is_within(summary.p90, nearest_rank(values, 90), error_ratio));
    CHECK(is_within(summary.p99, nearest_rank(values, 99), error_ratio));
}

} // namespace

TEST_CASE("latency_when_values_are_kept_then_percentiles_are_exact")
{
    const Values values = random_values(1, 10'001);
    LatencyDistribution distribution;
    add_all(distribution, values);
    check_summary(distribution.summarise(), values, 0);
}

TEST_CASE("latency_when_values_are_counted_then_percentiles_are_within_a_thousandth")
{
    const Values before = random_values(2, 5'000);
    const Values after = random_values(3, 20'077); // not a whole number of pieces
    LatencyDistribution distribution;
    add_all(distribution, before);
    distribution.switch_to_histogram();
    add_all(distribution, after);
    Values all = before;
    all.insert(all.end(), after.begin(), after.end());
    const LatencySummary summary = distribution.summarise();
    CHECK(summary.error_ratio <= 0.001);
    check_summary(summary, all, summary.error_ratio);
}

TEST_CASE("latency_when_coarsened_then_error_doubles_and_memory_shrinks")
{
    const Values values = random_values(4, 30'000);
    LatencyDistribution distribution;
    add_all(distribution, values);
    distribution.switch_to_histogram();
    double error = distribution.summarise().error_ratio;
    std::size_t bytes = distribution.histogram_bytes();
    while (distribution.can_coarsen()) {
        distribution.coarsen();
        error *= 2;
        CHECK(distribution.histogram_bytes() < bytes);
        bytes = distribution.histogram_bytes();
        check_summary(distribution.summarise(), values, error);
    }
    CHECK(error == 0.125);
}

TEST_CASE("latency_when_merged_then_is_as_if_added_together")
{
    const std::array parts{random_values(5, 3000), random_values(6, 4000), random_values(7, 5000)};
    for (unsigned folded = 0; folded < 8; ++folded) {
        LatencyDistribution all;
        Values values;
        for (std::size_t index = 0; index < parts.size(); ++index) {
            LatencyDistribution part;
            add_all(part, parts[index]);
            if ((folded >> index & 1U) != 0) {
                part.switch_to_histogram();
            }
            if (index == 1 && part.can_coarsen()) {
                part.coarsen();
            }
            all.merge(part);
            values.insert(values.end(), parts[index].begin(), parts[index].end());
        }
        const double finest = 1.0 / 1024;
        check_summary(all.summarise(), values,
                      folded == 0          ? 0
                      : (folded & 2U) != 0 ? 2 * finest
                                           : finest);
    }
}

TEST_CASE("latency_when_negative_or_huge_then_min_and_max_stay_exact")
{
    LatencyDistribution distribution;
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    add_all(distribution, {-5, 7, huge, huge});
    distribution.switch_to_histogram();
    const LatencySummary summary = distribution.summarise();
    CHECK(summary.min == -5);
    CHECK(summary.p99 == huge);
    CHECK(summary.max == huge);
    CHECK(summary.sum == huge); // not the wrapped sum
}

TEST_CASE("latency_budget_when_exceeded_then_the_fullest_switch_to_histograms")
{
    LatencyBudget budget{1000, 1U << 30U};
    LatencyDistribution& large = budget.make();
    LatencyDistribution& small = budget.make();
    const Values few = random_values(8, 100);
    const Values many = random_values(9, 5000);
    add_all(small, few);
    add_all(large, many);
    budget.on_added(few.size() + many.size());
    check_summary(small.summarise(), few, 0);
    check_summary(large.summarise(), many, 1.0 / 1024);
    CHECK(large.exact_values() == 0);
}

TEST_CASE("latency_budget_when_many_have_few_values_then_they_stay_exact")
{
    // As of as many rings: each as a histogram took kilobytes, and its values eight bytes.
    constexpr std::size_t many = 5000;
    LatencyBudget budget{1000, 1U << 30U};
    std::vector<LatencyDistribution*> distributions;
    for (std::size_t index = 0; index < many; ++index) {
        distributions.push_back(&budget.make());
        distributions.back()->add(Duration{static_cast<std::int64_t>(index)});
        budget.on_added(1);
    }
    budget.enforce();
    std::size_t bytes = 0;
    for (const LatencyDistribution* distribution : distributions) {
        bytes += distribution->histogram_bytes();
    }
    CHECK(bytes == 0);
    CHECK(distributions.back()->summarise().error_ratio == 0);
    CHECK(distributions.back()->summarise().p50 == many - 1);
}

TEST_CASE("latency_budget_when_many_distributions_then_memory_stays_within_limits")
{
    constexpr std::size_t exact = 10'000;
    constexpr std::size_t bytes = 1U << 20U;
    LatencyBudget budget{exact, bytes};
    std::vector<LatencyDistribution*> distributions;
    for (int index = 0; index < 50; ++index) {
        distributions.push_back(&budget.make());
    }
    const Values values = random_values(10, 20'000);
    for (LatencyDistribution* distribution : distributions) {
        add_all(*distribution, values);
        budget.on_added(values.size());
    }
    budget.enforce();
    std::size_t exact_held = 0;
    std::size_t bytes_held = 0;
    for (LatencyDistribution* distribution : distributions) {
        exact_held += distribution->exact_values();
        bytes_held += distribution->histogram_bytes();
        const LatencySummary summary = distribution->summarise();
        CHECK(summary.error_ratio > 0);
        check_summary(summary, values, summary.error_ratio);
    }
    CHECK(exact_held <= exact);
    CHECK(bytes_held <= bytes);
    CHECK(bytes_held > bytes / 8); // no coarser than needed
}
