// SPDX-License-Identifier: MIT
//
// A queue in one piece of memory that grows and never shrinks: push at the back,
// pop at the front, look anywhere.
#pragma once

#include <cstddef>
#include <vector>

namespace lttng_gpu::model {

template <typename T> class BoundedDeque {
public:
    void push_back(const T& value)
    {
        if (m_size == m_capacity) {
            grow();
        }
        m_items[(m_first + m_size) & (m_capacity - 1)] = value;
        ++m_size;
    }
    void pop_front()
    {
        m_first = (m_first + 1) & (m_capacity - 1);
        --m_size;
    }
    void resize_down(std::size_t size) { m_size = size; }

    T& operator[](std::size_t at) { return m_items[(m_first + at) & (m_capacity - 1)]; }
    const T& operator[](std::size_t at) const { return m_items[(m_first + at) & (m_capacity - 1)]; }
    T& front() { return m_items[m_first]; }
    const T& front() const { return m_items[m_first]; }
    std::size_t size() const { return m_size; }
    bool is_empty() const { return m_size == 0; }

private:
    void grow()
    {
        std::vector<T> larger(m_items.empty() ? 4 : m_items.size() * 2);
        for (std::size_t at = 0; at < m_size; ++at) {
            larger[at] = (*this)[at];
        }
        m_items.swap(larger);
        m_capacity = m_items.size();
        m_first = 0;
    }

    std::vector<T> m_items;
    std::size_t m_capacity = 0; // a power of two
    std::size_t m_first = 0;
    std::size_t m_size = 0;
};

} // namespace lttng_gpu::model
