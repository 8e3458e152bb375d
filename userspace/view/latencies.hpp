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

/// How long jobs of a ring waited in its queues, and which one did for longest.
class Waits {
public:
    /// What is not known of a job is left out, and the job counted.
    void add(Known<Duration> in_host_queue, Known<Duration> in_device_queue, std::uint64_t job)
    {
        m_unknown += in_host_queue && in_device_queue ? 0U : 1U;
        const std::int64_t length = (in_host_queue ? in_host_queue->value() : 0) +
                                    (in_device_queue ? in_device_queue->value() : 0);
        m_sum += length;
        if (length > m_longest) {
            m_longest = length;
            m_job = job;
        }
    }
    std::int64_t sum() const { return m_sum; }
    std::int64_t longest() const { return m_longest; }
    /// Only where longest() is not 0.
    std::uint64_t longest_job() const { return m_job; }
    /// Jobs of which the time in one of the queues is not known.
    std::uint64_t unknown() const { return m_unknown; }

private:
    std::int64_t m_sum = 0;
    std::int64_t m_longest = 0;
    std::uint64_t m_job = 0;
    std::uint64_t m_unknown = 0;
};

} // namespace lttng_gpu::view
