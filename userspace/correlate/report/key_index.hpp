// SPDX-License-Identifier: MIT
//
// Numbers keys from 0 in order of appearance; finding a known one neither
// allocates nor follows a chain of nodes. What belongs to a key is kept by the
// caller in a vector. A key has == and hash().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lttng_gpu::report {

template <typename Key> class KeyIndex {
public:
    std::uint32_t find_or_add(const Key& key)
    {
        std::size_t slot = key.hash() & (x_slots.size() - 1);
        while (x_slots[slot] != 0) {
            if (x_keys[x_slots[slot] - 1] == key) {
                return x_slots[slot] - 1;
            }
            slot = (slot + 1) & (x_slots.size() - 1);
        }
        x_keys.push_back(key);
        x_slots[slot] = static_cast<std::uint32_t>(x_keys.size());
        if (2 * x_keys.size() > x_slots.size()) {
            grow();
        }
        return static_cast<std::uint32_t>(x_keys.size() - 1);
    }
    const std::vector<Key>& keys() const { return x_keys; }

private:
    void grow()
    {
        x_slots.assign(2 * x_slots.size(), 0);
        for (std::size_t index = 0; index < x_keys.size(); ++index) {
            std::size_t slot = x_keys[index].hash() & (x_slots.size() - 1);
            while (x_slots[slot] != 0) {
                slot = (slot + 1) & (x_slots.size() - 1);
            }
            x_slots[slot] = static_cast<std::uint32_t>(index + 1);
        }
    }

    std::vector<Key> x_keys;
    std::vector<std::uint32_t> x_slots = std::vector<std::uint32_t>(64); // number + 1; 0: free
};

} // namespace lttng_gpu::report
