// SPDX-License-Identifier: MIT
//
// Holds the steps of queue depths until no earlier one can come, and gives them
// back in order of time, in batches. Each step is sorted once, among those of its
// batch; steps of equal time keep the order in which they came. What is held is
// at most the steps of jobs that reach beyond the batch, and one batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lttng_gpu::report {

struct Step {
    std::int64_t time;
    std::uint32_t process;
    std::uint32_t change; // a place in the table of changes
};

class StepBuffer {
public:
    /// Makes room for so many more.
    void reserve(std::size_t count)
    {
        if (m_steps.size() < m_count + count) {
            m_steps.resize(2 * (m_count + count));
        }
    }
    void push(const Step& step) { m_steps[m_count++] = step; }
    /// Needs room in any case.
    void push_if(bool is_wanted, const Step& step)
    {
        m_steps[m_count] = step;
        m_count += is_wanted ? 1 : 0;
    }
    /// Worth taking a batch out.
    bool is_full() const { return m_count >= m_full; }
    /// Removes the steps before `time`. They live until the next call.
    std::span<const Step> take_before(std::int64_t time);

private:
    static constexpr std::size_t batch = 1U << 13U;

    void sort_taken(std::int64_t first, std::int64_t last);
    void sort_by_digits(std::int64_t first, unsigned bits);

    std::vector<Step> m_steps; // the first m_count are in use
    std::size_t m_count = 0;
    std::vector<Step> m_taken;
    std::vector<Step> m_scratch;
    std::size_t m_full = batch;
};

} // namespace lttng_gpu::report
