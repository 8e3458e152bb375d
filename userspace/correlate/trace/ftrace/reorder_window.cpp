// SPDX-License-Identifier: MIT
//
// See reorder_window.hpp. Items that come in order cost no search.
#include "reorder_window.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ftrace {

ReorderWindow::ReorderWindow(std::size_t size) : m_items(size)
{
    for (std::size_t item = size; item > 0; --item) {
        m_free.push_back(item - 1);
    }
    m_order.reserve(2 * size);
}

HeldItem& ReorderWindow::add(Timestamp time)
{
    if (m_first == m_items.size()) { // half of the room is used up
        m_order.erase(m_order.begin(), m_order.begin() + static_cast<std::ptrdiff_t>(m_first));
        m_first = 0;
    }
    const std::size_t item = m_free.back();
    m_free.pop_back();
    auto place = m_order.end();
    if (!is_empty() && m_order.back().time > time) {
        place = std::upper_bound(
            m_order.begin() + static_cast<std::ptrdiff_t>(m_first), m_order.end(), time,
            [](Timestamp wanted, const Entry& entry) { return wanted < entry.time; });
    }
    m_order.insert(place, {time, item});
    return m_items[item];
}

void ReorderWindow::hand_out(EventConsumer& consumer)
{
    const Entry entry = m_order[m_first++];
    m_handed_out = entry.time;
    const HeldItem& item = m_items[entry.item];
    if (item.is_loss) {
        consumer.on_loss(item.loss);
    } else {
        consumer.on_event(item.event);
    }
    m_free.push_back(entry.item);
}

} // namespace lttng_gpu::trace::ftrace
