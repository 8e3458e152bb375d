// SPDX-License-Identifier: MIT
//
// Lanes whose items are in order, by the time of their next item: how readers merge them.
#pragma once

#include "../base/time.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace lttng_gpu::trace {

class LaneHeap {
public:
    bool is_empty() const { return m_heads.empty(); }
    /// The time of the earliest item; the heap is not empty.
    Timestamp earliest() const { return m_heads.front().first; }

    /// The lane's next item has that time.
    void push(Timestamp time, std::size_t lane)
    {
        m_heads.emplace_back(time, lane);
        std::ranges::push_heap(m_heads, std::greater{});
    }

    /// Takes out the lane with the earliest item, of equal times the first lane.
    std::pair<Timestamp, std::size_t> pop()
    {
        std::ranges::pop_heap(m_heads, std::greater{});
        const auto head = m_heads.back();
        m_heads.pop_back();
        return head;
    }

private:
    std::vector<std::pair<Timestamp, std::size_t>> m_heads;
};

} // namespace lttng_gpu::trace
