// SPDX-License-Identifier: MIT
//
// What happens to work that fails: whoever waits for it gets the exception, and nothing
// waits for ever. The threads are the program's own, so each case is run often.
#include "base/workers.hpp"

#include <atomic>
#include <doctest/doctest.h>
#include <new>
#include <stdexcept>

using namespace lttng_gpu;

namespace {

constexpr int repetitions = 200;

[[noreturn]] void fail()
{
    throw std::bad_alloc{};
}

bool never()
{
    return false;
}

} // namespace

TEST_CASE("workers_when_a_task_throws_then_who_waits_gets_it")
{
    for (const unsigned threads : {1U, 2U, 4U}) {
        for (int round = 0; round < repetitions; ++round) {
            Workers workers{threads};
            workers.submit(fail);
            CHECK_THROWS_AS(workers.help_until(never), std::bad_alloc);
            workers.submit([] { FAIL("begun after the failure"); });
            CHECK_THROWS_AS(workers.help_until(never), std::bad_alloc);
            workers.settle(never);
        }
    }
}

TEST_CASE("workers_when_a_task_waits_for_one_that_throws_then_both_end")
{
    for (const unsigned threads : {1U, 2U, 4U}) {
        for (int round = 0; round < repetitions; ++round) {
            Workers workers{threads};
            workers.submit([&workers] {
                workers.submit(fail);
                workers.help_until(never);
            });
            CHECK_THROWS_AS(workers.help_until(never), std::bad_alloc);
        }
    }
}

TEST_CASE("workers_when_one_of_many_throws_then_the_others_have_ended")
{
    for (int round = 0; round < repetitions; ++round) {
        Workers workers{4};
        std::atomic<int> running = 0;
        const auto work = [&running](std::size_t index) {
            ++running;
            if (index == 50) {
                --running;
                throw std::runtime_error{"the fiftieth"};
            }
            --running;
        };
        CHECK_THROWS_AS(workers.for_each(100, work), std::runtime_error);
        CHECK(running == 0);
    }
}

TEST_CASE("workers_when_nothing_can_make_it_true_then_settling_returns")
{
    Workers workers{2};
    std::atomic<int> done = 0;
    workers.submit([&done] { ++done; });
    workers.settle(never);
    CHECK(done == 1);
}
