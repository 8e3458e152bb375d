// SPDX-License-Identifier: MIT
//
// A hash table that forgets. It keeps a young and an old half; when the young is
// full the old is dropped and the young becomes old. What is looked up becomes
// young again, so only what nobody asked for goes, and is counted.
#pragma once

#include "flat_table.hpp"

#include <utility>

namespace lttng_gpu::model {

template <typename Key, typename Value, std::size_t half_size> class BoundedTable {
public:
    Value* find(std::uint64_t hash, const Key& key)
    {
        if (Value* young = m_young.find(hash, key)) {
            return young;
        }
        Value* old = m_old.is_empty() ? nullptr : m_old.find(hash, key);
        if (old == nullptr) {
            return nullptr;
        }
        Value moved = *old;
        m_old.erase(hash, key);
        return &add(hash, key, moved);
    }

    Value& at(std::uint64_t hash, const Key& key)
    {
        Value* found = find(hash, key);
        return found != nullptr ? *found : add(hash, key, Value{});
    }

    /// Entries dropped since the last call.
    std::uint64_t take_forgotten() { return std::exchange(m_forgotten, 0); }

private:
    Value& add(std::uint64_t hash, const Key& key, const Value& value)
    {
        if (m_young.size() >= half_size) {
            m_forgotten += m_old.size();
            std::swap(m_young, m_old);
            m_young.clear();
        }
        return m_young.insert(hash, key, value);
    }

    FlatTable<Key, Value> m_young;
    FlatTable<Key, Value> m_old;
    std::uint64_t m_forgotten = 0;
};

} // namespace lttng_gpu::model
