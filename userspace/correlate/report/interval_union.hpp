// SPDX-License-Identifier: MIT
//
// The length of the union of intervals that come in order of their ends. An
// interval may reach back over many earlier ones, so the latest disjoint ones are
// remembered, up to a limit; before those the total is final.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace lttng_gpu::report {

class IntervalUnion {
public:
    static constexpr std::size_t longest_memory = 1024;

    /// False when a part lies before what is remembered and cannot be told.
    bool add(std::int64_t begin, std::int64_t end);
    std::int64_t length() const { return m_length; }

private:
    struct Interval {
        std::int64_t begin;
        std::int64_t end;
    };

    std::vector<Interval> m_latest; // disjoint, in order
    std::int64_t m_final = std::numeric_limits<std::int64_t>::min();
    std::int64_t m_length = 0;
};

} // namespace lttng_gpu::report
