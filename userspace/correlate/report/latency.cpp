// SPDX-License-Identifier: MIT
//
// See latency.hpp. Nearest rank: the smallest value such that at least p percent
// of all values are not larger; always a value that occurred.
#include "latency.hpp"

#include <algorithm>
#include <numeric>

namespace lttng_gpu::report {
namespace {

std::int64_t nearest_rank(const std::vector<std::int64_t>& sorted, std::size_t percent)
{
    const std::size_t rank = (sorted.size() * percent + 99) / 100;
    return sorted[rank - 1];
}

} // namespace

LatencySummary LatencyDistribution::summarise() const
{
    if (x_values.empty()) {
        return {};
    }
    std::vector<std::int64_t> sorted = x_values;
    std::sort(sorted.begin(), sorted.end());
    return {sorted.size(),
            sorted.front(),
            nearest_rank(sorted, 50),
            nearest_rank(sorted, 90),
            nearest_rank(sorted, 99),
            sorted.back(),
            std::accumulate(sorted.begin(), sorted.end(), std::int64_t{0})};
}

} // namespace lttng_gpu::report
