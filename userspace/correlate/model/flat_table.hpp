// SPDX-License-Identifier: MIT
//
// A hash table with open addressing and linear probing; entries move up when one
// before them goes, so nothing is left behind. What is compared first, 32 bits of the
// hash, lies apart: most searches find nothing, and need not bring entries into the
// cache for that. Keys are compared by the caller, because events name the same thing in full or
// cut; several entries may therefore match, and equal keys may stand in it twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lttng_gpu::model {

template <typename Key, typename Value> class FlatTable {
public:
    /// Calls visit(key, value) for the entries of this hash until it returns true.
    template <typename Visit> Value* find_if(std::uint64_t hash, Visit visit)
    {
        if (x_size == 0) {
            return nullptr;
        }
        const std::uint32_t tag = tag_of(hash);
        for (std::size_t at = tag & x_mask; x_tags[at] != 0; at = (at + 1) & x_mask) {
            if (x_tags[at] == tag && visit(x_entries[at].key, x_entries[at].value)) {
                return &x_entries[at].value;
            }
        }
        return nullptr;
    }

    struct Entry {
        Key key{};
        Value value{};
    };
    /// The first entry of this hash, perhaps of several.
    const Entry* find_first(std::uint64_t hash) const
    {
        if (x_size == 0) {
            return nullptr;
        }
        const std::uint32_t tag = tag_of(hash);
        const std::uint32_t* const tags = x_tags.data();
        for (std::size_t at = tag & x_mask; tags[at] != 0; at = (at + 1) & x_mask) {
            if (tags[at] == tag) {
                return &x_entries[at];
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
        if ((x_size + 1) * 4 > x_mask + 1) {
            grow();
        }
        ++x_size;
        return place(tag_of(hash), key, value);
    }

    template <typename Match> bool erase_if(std::uint64_t hash, Match match)
    {
        if (x_size == 0) {
            return false;
        }
        const std::uint32_t tag = tag_of(hash);
        for (std::size_t at = tag & x_mask; x_tags[at] != 0; at = (at + 1) & x_mask) {
            if (x_tags[at] == tag && match(x_entries[at].key, x_entries[at].value)) {
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
        for (std::size_t at = 0; at < x_tags.size(); ++at) {
            if (x_tags[at] != 0) {
                visit(x_entries[at].key, x_entries[at].value);
            }
        }
    }

    std::size_t size() const { return x_size; }
    bool is_empty() const { return x_size == 0; }
    void clear()
    {
        x_tags.assign(x_tags.size(), 0);
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
        while (x_tags[at] != 0) {
            at = (at + 1) & x_mask;
        }
        x_tags[at] = tag;
        x_entries[at] = {key, value};
        return x_entries[at].value;
    }

    void grow()
    {
        const std::size_t size = x_tags.empty() ? 64 : x_tags.size() * 2;
        const std::vector<std::uint32_t> tags =
            std::exchange(x_tags, std::vector<std::uint32_t>(size));
        const std::vector<Entry> entries = std::exchange(x_entries, std::vector<Entry>(size));
        x_mask = size - 1;
        for (std::size_t at = 0; at < tags.size(); ++at) {
            if (tags[at] != 0) {
                place(tags[at], entries[at].key, entries[at].value);
            }
        }
    }

    void close_gap(std::size_t gap)
    {
        for (std::size_t at = (gap + 1) & x_mask; x_tags[at] != 0; at = (at + 1) & x_mask) {
            const std::size_t home = x_tags[at] & x_mask;
            // may it move up to the gap without passing its home?
            if (((at - home) & x_mask) >= ((at - gap) & x_mask)) {
                x_tags[gap] = x_tags[at];
                x_entries[gap] = x_entries[at];
                gap = at;
            }
        }
        x_tags[gap] = 0;
    }

    std::vector<std::uint32_t> x_tags; // 0: free
    std::vector<Entry> x_entries;
    std::size_t x_mask = 0;
    std::size_t x_size = 0;
};

} // namespace lttng_gpu::model
