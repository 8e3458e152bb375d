// SPDX-License-Identifier: MIT
//
// See histogram.hpp. Group 0 holds the values below 2^precision; group g holds
// those with precision + g bits, in buckets of 2^(g-1).
#include "histogram.hpp"

#include <utility>

namespace lttng_gpu::report {

void Histogram::make_group(std::size_t group)
{
    if (m_groups.size() <= group) {
        m_groups.resize(group + 1);
    }
    m_groups[group].resize(1ULL << m_precision);
    m_bytes += m_groups[group].size() * sizeof(std::uint64_t);
}

std::int64_t Histogram::lowest(std::size_t group, std::size_t bucket) const
{
    return static_cast<std::int64_t>(group == 0 ? bucket
                                                : ((1ULL << m_precision) | bucket) << (group - 1));
}

void Histogram::coarsen_to(unsigned precision)
{
    Histogram coarser;
    coarser.m_precision = precision;
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        for (std::size_t bucket = 0; bucket < m_groups[group].size(); ++bucket) {
            if (const std::uint64_t count = m_groups[group][bucket]; count > 0) {
                coarser.add(lowest(group, bucket), count);
            }
        }
    }
    *this = std::move(coarser);
}

void Histogram::merge(const Histogram& other)
{
    if (other.m_precision < m_precision) {
        coarsen_to(other.m_precision);
    }
    for (std::size_t group = 0; group < other.m_groups.size(); ++group) {
        for (std::size_t bucket = 0; bucket < other.m_groups[group].size(); ++bucket) {
            if (const std::uint64_t count = other.m_groups[group][bucket]; count > 0) {
                add(other.lowest(group, bucket), count);
            }
        }
    }
}

std::int64_t Histogram::at_rank(std::uint64_t rank) const
{
    std::uint64_t seen = 0;
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        const std::int64_t width = group > 0 ? std::int64_t{1} << (group - 1) : 1;
        for (std::size_t bucket = 0; bucket < m_groups[group].size(); ++bucket) {
            seen += m_groups[group][bucket];
            if (seen >= rank) {
                return lowest(group, bucket) + (width - 1) / 2;
            }
        }
    }
    return 0;
}

} // namespace lttng_gpu::report
