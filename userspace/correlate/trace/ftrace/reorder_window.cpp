// SPDX-License-Identifier: MIT
//
// See reorder_window.hpp. Items that come in order cost no search.
#include "reorder_window.hpp"

#include <algorithm>

namespace lttng_gpu::trace::ftrace {

ReorderWindow::ReorderWindow(std::size_t size) : x_items(size)
{
    for (std::size_t item = size; item > 0; --item) {
        x_free.push_back(item - 1);
    }
    x_order.reserve(2 * size);
}

HeldItem& ReorderWindow::add(Timestamp time)
{
    if (x_first == x_items.size()) { // half of the room is used up
        x_order.erase(x_order.begin(), x_order.begin() + static_cast<std::ptrdiff_t>(x_first));
        x_first = 0;
    }
    const std::size_t item = x_free.back();
    x_free.pop_back();
    auto place = x_order.end();
    if (!is_empty() && x_order.back().time > time) {
        place = std::upper_bound(
            x_order.begin() + static_cast<std::ptrdiff_t>(x_first), x_order.end(), time,
            [](Timestamp wanted, const Entry& entry) { return wanted < entry.time; });
    }
    x_order.insert(place, {time, item});
    return x_items[item];
}

void ReorderWindow::hand_out(EventConsumer& consumer)
{
    const Entry entry = x_order[x_first++];
    x_handed_out = entry.time;
    const HeldItem& item = x_items[entry.item];
    if (item.is_loss) {
        consumer.on_loss(item.loss);
    } else {
        consumer.on_event(item.event);
    }
    x_free.push_back(entry.item);
}

} // namespace lttng_gpu::trace::ftrace
