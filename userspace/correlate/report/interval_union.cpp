// SPDX-License-Identifier: MIT
//
// See interval_union.hpp. Each interval is put in once and taken out once.
#include "interval_union.hpp"

#include <algorithm>
#include <iterator>

namespace lttng_gpu::report {

bool IntervalUnion::add(std::int64_t begin, std::int64_t end)
{
    const bool is_whole = begin >= m_final;
    Interval merged{std::max(begin, m_final), end};
    if (merged.begin >= merged.end) {
        return is_whole;
    }
    if (!m_latest.empty() && merged.end < m_latest.back().begin) {
        return false; // not in order
    }
    while (!m_latest.empty() && m_latest.back().end >= merged.begin) {
        const Interval& last = m_latest.back();
        m_length -= last.end - last.begin;
        merged = {std::min(merged.begin, last.begin), std::max(merged.end, last.end)};
        m_latest.pop_back();
    }
    m_length += merged.end - merged.begin;
    m_latest.push_back(merged);
    if (m_latest.size() > longest_memory) {
        const auto half = m_latest.begin() + longest_memory / 2;
        m_final = std::prev(half)->end;
        m_latest.erase(m_latest.begin(), half);
    }
    return is_whole;
}

} // namespace lttng_gpu::report
