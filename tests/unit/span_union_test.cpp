// SPDX-License-Identifier: MIT
#include "report/span_union.hpp"

#include <algorithm>

#include <doctest/doctest.h>
#include <random>
#include <vector>

using lttng_gpu::report::SpanUnion;

TEST_CASE("union_when_spans_come_in_any_order_then_overlaps_count_once")
{
    SpanUnion spans;
    spans.add(50, 60);
    spans.add(10, 20);
    spans.add(15, 30);
    spans.add(70, 70);
    CHECK(spans.length(1000) == 30);
    CHECK(spans.length(55) == 25);
}

TEST_CASE("union_when_there_are_too_many_spans_then_is_never_too_short")
{
    std::mt19937_64 random{3};
    constexpr std::int64_t limit = 1'000'000;
    SpanUnion spans;
    std::vector<bool> covered(limit, false);
    for (int count = 0; count < 40'000; ++count) {
        const auto begin = static_cast<std::int64_t>(random() % (limit - 10));
        spans.add(begin, begin + 5);
        for (std::int64_t at = begin; at < begin + 5; ++at) {
            covered[static_cast<std::size_t>(at)] = true;
        }
    }
    const auto truth = std::count(covered.begin(), covered.end(), true);
    CHECK(spans.length(limit) >= truth);
    CHECK(spans.length(limit) <= limit);
}
