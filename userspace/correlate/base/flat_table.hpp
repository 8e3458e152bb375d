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
        if (m_size == 0) {
            return nullptr;
        }
        const std::uint32_t tag = tag_of(hash);
        for (std::size_t at = tag & m_mask; m_tags[at] != 0; at = (at + 1) & m_mask) {
            if (m_tags[at] == tag && visit(m_entries[at].key, m_entries[at].value)) {
                return &m_entries[at].value;
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
        if (m_size == 0) {
            return nullptr;
        }
        const std::uint32_t tag = tag_of(hash);
        const std::uint32_t* const tags = m_tags.data();
        for (std::size_t at = tag & m_mask; tags[at] != 0; at = (at + 1) & m_mask) {
            if (tags[at] == tag) {
                return &m_entries[at];
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
        if ((m_size + 1) * 4 > m_mask + 1) {
            grow();
        }
        ++m_size;
        return place(tag_of(hash), key, value);
    }

    template <typename Match> bool erase_if(std::uint64_t hash, Match match)
    {
        if (m_size == 0) {
            return false;
        }
        const std::uint32_t tag = tag_of(hash);
        for (std::size_t at = tag & m_mask; m_tags[at] != 0; at = (at + 1) & m_mask) {
            if (m_tags[at] == tag && match(m_entries[at].key, m_entries[at].value)) {
                close_gap(at);
                --m_size;
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
        for (std::size_t at = 0; at < m_tags.size(); ++at) {
            if (m_tags[at] != 0) {
                visit(m_entries[at].key, m_entries[at].value);
            }
        }
    }

    std::size_t size() const { return m_size; }
    bool is_empty() const { return m_size == 0; }
    void clear()
    {
        m_tags.assign(m_tags.size(), 0);
        m_size = 0;
    }

private:
    static std::uint32_t tag_of(std::uint64_t hash)
    {
        const auto tag = static_cast<std::uint32_t>(hash >> 32U); // the better mixed half
        return tag == 0 ? 1 : tag;
    }

    Value& place(std::uint32_t tag, const Key& key, const Value& value)
    {
        std::size_t at = tag & m_mask;
        while (m_tags[at] != 0) {
            at = (at + 1) & m_mask;
        }
        m_tags[at] = tag;
        m_entries[at] = {key, value};
        return m_entries[at].value;
    }

    void grow()
    {
        const std::size_t size = m_tags.empty() ? 64 : m_tags.size() * 2;
        const std::vector<std::uint32_t> tags =
            std::exchange(m_tags, std::vector<std::uint32_t>(size));
        const std::vector<Entry> entries = std::exchange(m_entries, std::vector<Entry>(size));
        m_mask = size - 1;
        for (std::size_t at = 0; at < tags.size(); ++at) {
            if (tags[at] != 0) {
                place(tags[at], entries[at].key, entries[at].value);
            }
        }
    }

    void close_gap(std::size_t gap)
    {
        for (std::size_t at = (gap + 1) & m_mask; m_tags[at] != 0; at = (at + 1) & m_mask) {
            const std::size_t home = m_tags[at] & m_mask;
            // may it move up to the gap without passing its home?
            if (((at - home) & m_mask) >= ((at - gap) & m_mask)) {
                m_tags[gap] = m_tags[at];
                m_entries[gap] = m_entries[at];
                gap = at;
            }
        }
        m_tags[gap] = 0;
    }

    std::vector<std::uint32_t> m_tags; // 0: free
    std::vector<Entry> m_entries;
    std::size_t m_mask = 0;
    std::size_t m_size = 0;
};

} // namespace lttng_gpu::model
