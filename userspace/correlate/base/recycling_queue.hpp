// SPDX-License-Identifier: MIT
//
// Large items on their way from one thread to another, first in, first out. Items that were
// used come back and are filled again, so that their memory is allocated once. Not locked:
// its users have more to decide under the same lock.
#pragma once

#include <deque>
#include <memory>
#include <vector>

namespace lttng_gpu {

template <typename Item> class RecyclingQueue {
public:
    bool is_empty() const { return m_full.empty(); }
    std::size_t size() const { return m_full.size(); }

    void push(std::unique_ptr<Item> item) { m_full.push_back(std::move(item)); }
    /// The oldest; there must be one.
    std::unique_ptr<Item> pop()
    {
        std::unique_ptr<Item> item = std::move(m_full.front());
        m_full.pop_front();
        return item;
    }

    void give_back(std::unique_ptr<Item> item) { m_used.push_back(std::move(item)); }
    /// One that was given back, with what it has, or a new one.
    std::unique_ptr<Item> take_unused()
    {
        if (m_used.empty()) {
            return std::make_unique<Item>();
        }
        std::unique_ptr<Item> item = std::move(m_used.back());
        m_used.pop_back();
        return item;
    }

private:
    std::deque<std::unique_ptr<Item>> m_full;
    std::vector<std::unique_ptr<Item>> m_used;
};

} // namespace lttng_gpu
