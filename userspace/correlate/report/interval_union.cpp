// SPDX-License-Identifier: MIT
//
// See interval_union.hpp. Each interval is put in once and taken out once.
#include "interval_union.hpp"

#include <algorithm>
#include <iterator>

namespace lttng_gpu::report {

bool IntervalUnion::add(std::int64_t begin, std::int64_t end)
{
    const bool is_whole = begin >= x_final;
    Interval merged{std::max(begin, x_final), end};
    if (merged.begin >= merged.end) {
        return is_whole;
    }
    if (!x_latest.empty() && merged.end < x_latest.back().begin) {
        return false; // not in order
    }
    while (!x_latest.empty() && x_latest.back().end >= merged.begin) {
        const Interval& last = x_latest.back();
        x_length -= last.end - last.begin;
        merged = {std::min(merged.begin, last.begin), std::max(merged.end, last.end)};
        x_latest.pop_back();
    }
    x_length += merged.end - merged.begin;
    x_latest.push_back(merged);
    if (x_latest.size() > longest_memory) {
        const auto half = x_latest.begin() + longest_memory / 2;
        x_final = std::prev(half)->end;
        x_latest.erase(x_latest.begin(), half);
    }
    return is_whole;
}

} // namespace lttng_gpu::report
