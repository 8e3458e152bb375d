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
        Iterator(const StableArray& array, std::size_t at) : x_array{&array}, x_at{at} {}
        const T& operator*() const { return (*x_array)[x_at]; }
        Iterator& operator++()
        {
            ++x_at;
            return *this;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const StableArray* x_array;
        std::size_t x_at;
    };

    T& push_back(T value)
    {
        if (x_size == x_blocks.size() * block_size) {
            x_blocks.push_back(std::make_unique<T[]>(block_size));
        }
        T& place = (*this)[x_size++];
        place = std::move(value);
        return place;
    }

    T& operator[](std::size_t at) { return x_blocks[at / block_size][at % block_size]; }
    const T& operator[](std::size_t at) const { return x_blocks[at / block_size][at % block_size]; }
    std::size_t size() const { return x_size; }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, x_size}; }

private:
    static constexpr std::size_t block_size = 32;

    std::vector<std::unique_ptr<T[]>> x_blocks;
    std::size_t x_size = 0;
};

} // namespace lttng_gpu::model
