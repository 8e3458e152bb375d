// SPDX-License-Identifier: MIT
//
// The latencies of one phase and their nearest-rank percentiles. All values are
// kept for now; whoever wants bounded memory changes this class only.
#pragma once

#include "../base/time.hpp"

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
};

class LatencyDistribution {
public:
    void add(Duration latency) { x_values.push_back(latency.value()); }
    LatencySummary summarise() const;

private:
    std::vector<std::int64_t> x_values;
};

} // namespace lttng_gpu::report
