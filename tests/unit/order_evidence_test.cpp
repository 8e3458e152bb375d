// SPDX-License-Identifier: MIT
//
// What pairs of jobs tell of the order of a ring, and over which stretch of time.
#include "rings/order_evidence.hpp"

#include <doctest/doctest.h>

using namespace lttng_gpu;
using model::OrderEvidence;

namespace {

/// So many pairs that agree, one each ten.
void agree(OrderEvidence& order, std::int64_t begin, int count)
{
    for (int pair = 0; pair < count; ++pair) {
        order.agree(Timestamp{begin + 10 * pair});
    }
}

void contradict(OrderEvidence& order, std::int64_t begin, std::int64_t end)
{
    order.contradict({Timestamp{begin}, Timestamp{end}});
}

} // namespace

TEST_CASE("order_when_all_pairs_agree_then_there_is_no_disorder")
{
    OrderEvidence order;
    agree(order, 0, 10000);
    CHECK(order.find_disorder().empty());
    CHECK(order.is_calm());
    CHECK(order.agreements() == 10000);
}

TEST_CASE("order_when_one_pair_contradicts_then_only_its_own_time_is_doubtful")
{
    OrderEvidence order;
    agree(order, 0, 1000);
    contradict(order, 9990, 10010);
    CHECK_FALSE(order.is_calm());
    agree(order, 10020, 1000);
    CHECK(order.is_calm()); // a reset does not condemn the ring for ever
    const auto disorder = order.find_disorder();
    REQUIRE(disorder.size() == 1);
    CHECK_FALSE(disorder[0].is_parallel());
    CHECK(disorder[0].span == TimeSpan{Timestamp{9990}, Timestamp{10010}});
}

TEST_CASE("order_when_pairs_contradict_again_and_again_then_ring_is_parallel_all_the_time")
{
    OrderEvidence order;
    for (int round = 0; round < 100; ++round) {
        agree(order, round * 100, 5);
        contradict(order, round * 100 + 50, round * 100 + 60);
    }
    const auto disorder = order.find_disorder();
    REQUIRE(disorder.size() == 1);
    CHECK(disorder[0].is_parallel());
    CHECK(disorder[0].contradictions == 100);
    // before the first and after the last as few agree as is usual
    CHECK(disorder[0].span.begin < Timestamp{0});
    CHECK(disorder[0].span.end > Timestamp{10000});
    CHECK_FALSE(order.is_calm());
}

TEST_CASE("order_when_ring_is_parallel_for_a_while_then_the_rest_stays_in_order")
{
    OrderEvidence order;
    agree(order, 0, 5000); // to 50 000
    for (int round = 0; round < 50; ++round) {
        agree(order, 50000 + round * 100, 5);
        contradict(order, 50050 + round * 100, 50060 + round * 100);
    }
    agree(order, 55000, 5000);
    const auto disorder = order.find_disorder();
    REQUIRE(disorder.size() == 1);
    CHECK(disorder[0].is_parallel());
    CHECK(disorder[0].span.begin > Timestamp{40000});
    CHECK(disorder[0].span.begin <= Timestamp{50050});
    CHECK(disorder[0].span.end >= Timestamp{54960});
    CHECK(disorder[0].span.end < Timestamp{70000});
}

TEST_CASE("order_when_contradictions_are_more_than_are_kept_then_none_is_forgotten")
{
    OrderEvidence order;
    for (int round = 0; round < 10000; ++round) {
        contradict(order, round * 10, round * 10 + 5);
    }
    const auto disorder = order.find_disorder();
    REQUIRE(disorder.size() == 1);
    CHECK(disorder[0].contradictions == 10000);
    CHECK(disorder[0].span.end >= Timestamp{99995});
}
