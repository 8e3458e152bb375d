// SPDX-License-Identifier: MIT
//
// Holds back a bounded number of items so that those of different CPUs which were
// printed in the wrong order come out in the right one. Places are used again, so
// nothing is allocated per item once the window has been full.
#pragma once

#include "../event_source.hpp"

namespace lttng_gpu::trace::ftrace {

/// An item with the texts that its values point into.
struct HeldItem {
    RawEvent event;
    Loss loss;
    bool is_loss = false;
    std::vector<FieldValue> fields;
    std::string text;
};

/// Of all readers that use it.
constexpr std::size_t reorder_window_size = 512;

class ReorderWindow {
public:
    explicit ReorderWindow(std::size_t size);

    bool is_full() const { return m_order.size() - m_first == m_items.size(); }
    bool is_empty() const { return m_order.size() == m_first; }
    /// Whether an item of this time would still come out in order.
    bool is_in_time(Timestamp time) const { return !m_handed_out || time >= *m_handed_out; }

    /// A place for an item of this time, behind all of the same time. Not when full.
    HeldItem& add(Timestamp time);
    /// Gives the earliest item to the consumer. Not when empty.
    void hand_out(EventConsumer& consumer);

private:
    struct Entry {
        Timestamp time;
        std::size_t item = 0;
    };

    std::vector<HeldItem> m_items;
    std::vector<std::size_t> m_free;
    std::vector<Entry> m_order; // from m_first on, by time
    std::size_t m_first = 0;
    std::optional<Timestamp> m_handed_out;
};

} // namespace lttng_gpu::trace::ftrace
