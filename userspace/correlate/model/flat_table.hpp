// SPDX-License-Identifier: MIT
//
// A hash table in one piece of memory: open addressing with linear probing, and
// entries move up when one before them goes, so nothing is left behind. Keys are
// compared by the caller, because events name the same thing in full or cut;
// several entries may therefore match, and equal keys may stand in it twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lttng_gpu::model {

template <typename Key, typename Value> class FlatTable {
public:
    /// Calls visit(key, value) for the entries of this hash until it returns true.
    template <typename Visit> Value* find_if(std::uint64_t hash, Visit visit)
    {
        if (x_entries.empty()) {
            return nullptr;
        }
        const std::uint32_t tag = tag_of(hash);
        for (std::size_t at = tag & x_mask; x_entries[at].tag != 0; at = (at + 1) & x_mask) {
            if (x_entries[at].tag == tag && visit(x_entries[at].key, x_entries[at].value)) {
                return &x_entries[at].value;
            }
        }
        return nullptr;
    }

    struct Entry {
        std::uint32_t tag = 0; // 0: free
        Value value{};
        Key key{};
    };
    /// The first entry of this hash, perhaps of several.
    const Entry* find_first(std::uint64_t hash) const
    {
        if (x_size == 0) {
            return nullptr;
        }
        const std::uint32_t tag = tag_of(hash);
        const Entry* const entries = x_entries.data();
        for (std::size_t at = tag & x_mask; entries[at].tag != 0; at = (at + 1) & x_mask) {
            if (entries[at].tag == tag) {
                return &entries[at];
            }
        }
        return nullptr;
    }

    Value* find(std::uint64_t hash, const Key& key)
    {
        return find_if(hash, [&](const Key& other, const Value&) { return other == key; });
    }

    Value& insert(std::uint64_t hash, const Key& key, Value value)
    {
        if ((x_size + 1) * 2 > x_mask + 1) {
            grow();
        }
        ++x_size;
        return place(tag_of(hash), key, value);
    }

    template <typename Match> bool erase_if(std::uint64_t hash, Match match)
    {
        if (x_entries.empty()) {
            return false;
        }
        const std::uint32_t tag = tag_of(hash);
        for (std::size_t at = tag & x_mask; x_entries[at].tag != 0; at = (at + 1) & x_mask) {
            if (x_entries[at].tag == tag && match(x_entries[at].key, x_entries[at].value)) {
                close_gap(at);
                --x_size;
                return true;
            }
        }
        return false;
    }

    bool erase(std::uint64_t hash, const Key& key)
    {
        return erase_if(hash, [&](const Key& other, const Value&) { return other == key; });
    }

    template <typename Visit> void for_each(Visit visit)
    {
        for (Entry& entry : x_entries) {
            if (entry.tag != 0) {
                visit(entry.key, entry.value);
            }
        }
    }

    std::size_t size() const { return x_size; }
    bool is_empty() const { return x_size == 0; }
    void clear()
    {
        x_entries.assign(x_entries.size(), {});
        x_size = 0;
    }

private:
    static std::uint32_t tag_of(std::uint64_t hash)
    {
        const auto tag = static_cast<std::uint32_t>(hash >> 32U); // the better mixed half
        return tag == 0 ? 1 : tag;
    }

    Value& place(std::uint32_t tag, const Key& key, const Value& value)
    {
        std::size_t at = tag & x_mask;
        while (x_entries[at].tag != 0) {
            at = (at + 1) & x_mask;
        }
        x_entries[at] = {tag, value, key};
        return x_entries[at].value;
    }

    void grow()
    {
        std::vector<Entry> old(x_entries.empty() ? 64 : x_entries.size() * 2);
        old.swap(x_entries);
        x_mask = x_entries.size() - 1;
        for (const Entry& entry : old) {
            if (entry.tag != 0) {
                place(entry.tag, entry.key, entry.value);
            }
        }
    }

    void close_gap(std::size_t gap)
    {
        for (std::size_t at = (gap + 1) & x_mask; x_entries[at].tag != 0; at = (at + 1) & x_mask) {
            const std::size_t home = x_entries[at].tag & x_mask;
            // may it move up to the gap without passing its home?
            if (((at - home) & x_mask) >= ((at - gap) & x_mask)) {
                x_entries[gap] = x_entries[at];
                gap = at;
            }
        }
        x_entries[gap] = {};
    }

    std::vector<Entry> x_entries;
    std::size_t x_mask = 0;
    std::size_t x_size = 0;
};

} // namespace lttng_gpu::model
