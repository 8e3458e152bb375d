// SPDX-License-Identifier: MIT
//
// Counts values in buckets whose width grows with the value, so that memory
// depends on the spread of the values and not on their number. Each doubling of
// the value has 2^precision buckets; values below 2^precision are exact. Lower
// precision needs less memory; it can be given up later, never won back.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lttng_gpu::report {

class Histogram {
public:
    static constexpr unsigned finest = 9; // within 0.1 %
    static constexpr unsigned coarsest = 2;

    /// A negative value counts as zero.
    void add(std::int64_t value, std::uint64_t count = 1)
    {
        const auto positive = static_cast<std::uint64_t>(value > 0 ? value : 0);
        const auto bits = static_cast<unsigned>(std::bit_width(positive));
        const unsigned group = bits > m_precision ? bits - m_precision : 0;
        const std::uint64_t mask = (1ULL << m_precision) - 1;
        if (m_groups.size() <= group || m_groups[group].empty()) {
            make_group(group);
        }
        m_groups[group][(positive >> (group > 0 ? group - 1 : 0)) & mask] += count;
    }
    void merge(const Histogram& other);
    /// Halves the memory and doubles the error.
    void coarsen() { coarsen_to(m_precision - 1); }

    /// The middle of the bucket of the value with this rank, from 1.
    std::int64_t at_rank(std::uint64_t rank) const;
    /// A value is off by at most this part of itself.
    double error_ratio() const { return 0.5 / static_cast<double>(1ULL << m_precision); }
    bool is_coarsest() const { return m_precision == coarsest; }
    std::size_t bytes() const { return m_bytes; }

private:
    using Group = std::vector<std::uint64_t>; // 2^precision counts, or none

    void make_group(std::size_t group);
    void coarsen_to(unsigned precision);
    std::int64_t lowest(std::size_t group, std::size_t bucket) const;

    unsigned m_precision = finest;
    std::vector<Group> m_groups;
    std::size_t m_bytes = 0;
};

} // namespace lttng_gpu::report
