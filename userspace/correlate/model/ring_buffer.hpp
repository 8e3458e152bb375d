// SPDX-License-Identifier: MIT
//
// A queue in one piece of memory that grows and never shrinks: push at the back,
// pop at the front, look anywhere.
#pragma once

#include <cstddef>
#include <vector>

namespace lttng_gpu::model {

template <typename T> class RingBuffer {
public:
    void push_back(const T& value)
    {
        if (x_size == x_capacity) {
            grow();
        }
        x_items[(x_first + x_size) & (x_capacity - 1)] = value;
        ++x_size;
    }
    void pop_front()
    {
        x_first = (x_first + 1) & (x_capacity - 1);
        --x_size;
    }
    void resize_down(std::size_t size) { x_size = size; }

    T& operator[](std::size_t at) { return x_items[(x_first + at) & (x_capacity - 1)]; }
    const T& operator[](std::size_t at) const { return x_items[(x_first + at) & (x_capacity - 1)]; }
    T& front() { return x_items[x_first]; }
    const T& front() const { return x_items[x_first]; }
    std::size_t size() const { return x_size; }
    bool is_empty() const { return x_size == 0; }

private:
    void grow()
    {
        std::vector<T> larger(x_items.empty() ? 4 : x_items.size() * 2);
        for (std::size_t at = 0; at < x_size; ++at) {
            larger[at] = (*this)[at];
        }
        x_items.swap(larger);
        x_capacity = x_items.size();
        x_first = 0;
    }

    std::vector<T> x_items;
    std::size_t x_capacity = 0; // a power of two
    std::size_t x_first = 0;
    std::size_t x_size = 0;
};

} // namespace lttng_gpu::model
