// SPDX-License-Identifier: MIT
//
// What the numbers that a scheduler gives its jobs tell of jobs that were not seen.
#include "rings/ring_numbers.hpp"

#include <doctest/doctest.h>
#include <limits>

using namespace lttng_gpu;
using namespace lttng_gpu::model;

namespace {

/// Queues these numbers, at times that are ten times as great; gives those found missing.
std::vector<std::uint64_t> queue(RingNumbers& numbers, std::uint64_t first, std::uint64_t last)
{
    std::vector<std::uint64_t> missing;
    for (std::uint64_t id = first; id <= last; ++id) {
        const Timestamp time{static_cast<std::int64_t>(id) * 10};
        for (const RingNumbers::MissingNumber& number : numbers.note(id, time, true)) {
            missing.push_back(number.id);
        }
    }
    return missing;
}

} // namespace

TEST_CASE("numbers_when_one_is_passed_over_then_it_is_missing_once_many_came_after_it")
{
    RingNumbers numbers;
    CHECK(queue(numbers, 1, 9).empty());
    CHECK(queue(numbers, 11, 20).empty()); // 10 may still come
    CHECK(queue(numbers, 21, 90) == std::vector<std::uint64_t>{10});
}

TEST_CASE("numbers_when_one_comes_late_then_nothing_is_missing")
{
    RingNumbers numbers;
    queue(numbers, 1, 9);
    queue(numbers, 11, 20);
    queue(numbers, 10, 10);
    CHECK(queue(numbers, 21, 200).empty());
    CHECK(numbers.finish().empty());
    CHECK_FALSE(numbers.is_of_several());
}

TEST_CASE("numbers_when_those_of_two_schedulers_take_turns_then_nothing_is_missing")
{
    RingNumbers numbers;
    for (std::uint64_t turn = 0; turn < 40; ++turn) {
        CHECK(queue(numbers, 100 + turn, 100 + turn).empty());
        CHECK(queue(numbers, 5000 + turn, 5000 + turn).empty());
    }
    CHECK(numbers.finish().empty());
    CHECK(numbers.is_of_several());
    CHECK_FALSE(numbers.continuous());
}

TEST_CASE("numbers_when_a_hole_is_great_then_only_the_end_shows_that_it_is_one")
{
    RingNumbers numbers;
    queue(numbers, 1, 10);
    CHECK(queue(numbers, 211, 400).empty());
    CHECK(numbers.finish().size() == 200);
}

TEST_CASE("numbers_when_the_driver_is_loaded_again_then_the_count_begins_again")
{
    RingNumbers numbers;
    queue(numbers, 1, 100);
    CHECK(queue(numbers, 1, 100).empty());
    CHECK(numbers.finish().empty());
    CHECK_FALSE(numbers.is_of_several());
}

TEST_CASE("numbers_when_the_first_of_all_was_seen_then_nothing_was_before_it")
{
    RingNumbers numbers;
    queue(numbers, 1, 5);
    CHECK(numbers.continuous()->begin.value() == std::numeric_limits<std::int64_t>::min());
    CHECK(numbers.continuous()->end == Timestamp{50});
    RingNumbers later;
    queue(later, 7, 9);
    CHECK(later.continuous()->begin == Timestamp{70});
}
