// SPDX-License-Identifier: MIT
#include "base/recycling_queue.hpp"

#include <doctest/doctest.h>

namespace lttng_gpu {

TEST_CASE("recycling_queue_when_items_are_given_back_then_they_are_used_again_with_what_they_have")
{
    RecyclingQueue<std::vector<int>> queue;
    auto first = queue.take_unused();
    auto second = queue.take_unused();
    first->push_back(1);
    second->push_back(2);
    const auto* const address = first.get();
    queue.push(std::move(first));
    queue.push(std::move(second));
    CHECK(queue.size() == 2);
    auto used = queue.pop();
    CHECK(*used == std::vector{1});
    CHECK(*queue.pop() == std::vector{2});
    CHECK(queue.is_empty());
    queue.give_back(std::move(used));
    CHECK(queue.is_empty());
    auto again = queue.take_unused();
    CHECK(again.get() == address);
    CHECK(*again == std::vector{1});
    CHECK(queue.take_unused()->empty());
}

} // namespace lttng_gpu
