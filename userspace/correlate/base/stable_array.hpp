// SPDX-License-Identifier: MIT
//
// A table that only grows at its end and never moves its elements, as a deque,
// but finding one by its number takes a shift and no division.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace lttng_gpu::model {

template <typename T> class StableArray {
public:
    class Iterator {
    public:
        Iterator(const StableArray& array, std::size_t at) : m_array{&array}, m_at{at} {}
        const T& operator*() const { return (*m_array)[m_at]; }
        Iterator& operator++()
        {
            ++m_at;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const StableArray* m_array;
        std::size_t m_at;
    };

    T& push_back(T value)
    {
        if (m_size == m_blocks.size() * block_size) {
            m_blocks.push_back(std::make_unique<T[]>(block_size));
        }
        T& place = (*this)[m_size++];
        place = std::move(value);
        return place;
    }

    T& operator[](std::size_t at) { return m_blocks[at / block_size][at % block_size]; }
    const T& operator[](std::size_t at) const { return m_blocks[at / block_size][at % block_size]; }
    std::size_t size() const { return m_size; }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, m_size}; }

private:
    static constexpr std::size_t block_size = 32;

    std::vector<std::unique_ptr<T[]>> m_blocks;
    std::size_t m_size = 0;
};

} // namespace lttng_gpu::model
