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
        std::size_t slot = key.hash() & (m_slots.size() - 1);
        while (m_slots[slot] != 0) {
            if (m_keys[m_slots[slot] - 1] == key) {
                return m_slots[slot] - 1;
            }
            slot = (slot + 1) & (m_slots.size() - 1);
        }
        m_keys.push_back(key);
        m_slots[slot] = static_cast<std::uint32_t>(m_keys.size());
        if (2 * m_keys.size() > m_slots.size()) {
            grow();
        }
        return static_cast<std::uint32_t>(m_keys.size() - 1);
    }
    const std::vector<Key>& keys() const { return m_keys; }

private:
    void grow()
    {
        m_slots.assign(2 * m_slots.size(), 0);
        for (std::size_t index = 0; index < m_keys.size(); ++index) {
            std::size_t slot = m_keys[index].hash() & (m_slots.size() - 1);
            while (m_slots[slot] != 0) {
                slot = (slot + 1) & (m_slots.size() - 1);
            }
            m_slots[slot] = static_cast<std::uint32_t>(index + 1);
        }
    }

    std::vector<Key> m_keys;
    std::vector<std::uint32_t> m_slots = std::vector<std::uint32_t>(64); // number + 1; 0: free
};

} // namespace lttng_gpu::report
