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
        if (Value* young = x_young.find(hash, key)) {
            return young;
        }
        Value* old = x_old.is_empty() ? nullptr : x_old.find(hash, key);
        if (old == nullptr) {
            return nullptr;
        }
        Value moved = *old;
        x_old.erase(hash, key);
        return &add(hash, key, moved);
    }

    Value& at(std::uint64_t hash, const Key& key)
    {
        Value* found = find(hash, key);
        return found != nullptr ? *found : add(hash, key, Value{});
    }

    /// Entries dropped since the last call.
    std::uint64_t take_forgotten() { return std::exchange(x_forgotten, 0); }

private:
    Value& add(std::uint64_t hash, const Key& key, const Value& value)
    {
        if (x_young.size() >= half_size) {
            x_forgotten += x_old.size();
            std::swap(x_young, x_old);
            x_young.clear();
        }
        return x_young.insert(hash, key, value);
    }

    FlatTable<Key, Value> x_young;
    FlatTable<Key, Value> x_old;
    std::uint64_t x_forgotten = 0;
};

} // namespace lttng_gpu::model
