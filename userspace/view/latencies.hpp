// SPDX-License-Identifier: MIT
//
// How long jobs of a ring were in each phase, for the page's histograms (eight bins for each power
// of two), and the jobs that were longest in each.
#pragma once

#include "job_identity.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace lttng_gpu::view {

enum class Phase : std::uint8_t { HostQueue, DeviceQueue, Execution, Whole };
constexpr std::size_t phase_count = 4;

class PhaseHistogram {
public:
    static constexpr std::size_t bins = 64 * 8;

    void add(std::int64_t length)
    {
        if (length >= 0) {
            ++m_counts.at(bin_of(static_cast<std::uint64_t>(length)));
        }
    }
    const std::array<std::uint32_t, bins>& counts() const { return m_counts; }

    /// 0 to 7 have a bin each; then the three bits after the highest count.
    static constexpr std::size_t bin_of(std::uint64_t length)
    {
        if (length < 8) {
            return static_cast<std::size_t>(length);
        }
        const auto power = static_cast<unsigned>(std::bit_width(length)) - 1;
        return (power - 2) * 8U + ((length >> (power - 3)) & 7U);
    }

private:
    std::array<std::uint32_t, bins> m_counts{};
};

/// Of all that were added the longest, the longest first.
class LongestJobs {
public:
    struct Entry {
        std::int64_t length = 0;
        std::uint64_t job = 0;
        JobIdentity identity;
    };

    void add(std::int64_t length, std::uint64_t job, const JobIdentity& identity = {})
    {
        if (m_heap.size() == most && length <= m_heap.front().length) {
            return;
        }
        m_heap.push_back({length, job, identity});
        std::ranges::push_heap(m_heap, is_longer);
        if (m_heap.size() > most) {
            std::ranges::pop_heap(m_heap, is_longer);
            m_heap.pop_back();
        }
    }
    std::vector<Entry> sorted() const
    {
        std::vector<Entry> all = m_heap;
        std::ranges::sort(all, is_longer);
        return all;
    }

private:
    static constexpr std::size_t most = 50;

    static bool is_longer(const Entry& left, const Entry& right)
    {
        return left.length != right.length ? left.length > right.length : left.job < right.job;
    }

    std::vector<Entry> m_heap; // the shortest in front
};

} // namespace lttng_gpu::view
