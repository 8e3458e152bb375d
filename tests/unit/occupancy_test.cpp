// SPDX-License-Identifier: MIT
//
// Depths and states of many lives, over many batches, against a sweep over a
// sorted map that shares nothing with it; and lives that come late.
#include "report/interval_union.hpp"
#include "report/occupancy.hpp"

#include <doctest/doctest.h>
#include <map>
#include <random>

using namespace lttng_gpu::report;

namespace {

using Random = std::mt19937_64;

std::int64_t pick(Random& random, std::int64_t from, std::int64_t to)
{
    return std::uniform_int_distribution<std::int64_t>{from, to}(random);
}

struct Placed {
    std::uint32_t process;
    Life life;
};

/// Any points known or not; some lives are very long.
std::vector<Placed> random_lives(Random& random, std::size_t count, std::uint32_t processes)
{
    std::vector<Placed> lives;
    std::int64_t begin = 0;
    for (std::size_t index = 0; index < count; ++index) {
        begin += pick(random, 0, 3);
        Placed placed{static_cast<std::uint32_t>(pick(random, 0, processes - 1)), {}};
        std::int64_t time = begin;
        for (std::int64_t& point : placed.life.times) {
            point = time;
            time += pick(random, 0, pick(random, 0, 500) == 0 ? 100'000 : 40);
        }
        placed.life.known =
            static_cast<std::uint8_t>(pick(random, 0, 2) > 0 ? 15 : pick(random, 0, 31));
        if ((placed.life.known & 8U) != 0) {
            placed.life.known &= 15U; // what has completed has an end
        }
        lives.push_back(placed);
    }
    return lives;
}

struct Sweep {
    std::map<std::int64_t, std::array<int, 4>> steps; // host queue, device queue, execution, device

    void add(const Life& life, std::int64_t end)
    {
        const auto knows = [&](unsigned point) { return (life.known >> point & 1U) != 0; };
        const auto span = [&](std::size_t phase, std::int64_t from, std::int64_t to) {
            ++steps[from][phase];
            --steps[to][phase];
        };
        if (knows(0) && knows(1)) {
            span(0, life.times[0], life.times[1]);
        }
        if (knows(1) && knows(2)) {
            span(1, life.times[1], life.times[2]);
        }
        if (knows(2) && knows(3)) {
            span(2, life.times[2], life.times[3]);
        }
        if (knows(1) && knows(3)) {
            span(3, life.times[1], life.times[3]);
        }
        if ((life.known & Life::no_end) != 0 && knows(1)) {
            span(3, life.times[1], end);
        } else if ((life.known & Life::no_end) != 0 && knows(0)) {
            span(0, life.times[0], end);
        }
    }
};

void check_track(const DepthTrack& track, const Sweep& sweep, std::int64_t end)
{
    std::map<std::int64_t, std::int64_t> host;
    std::map<std::int64_t, std::int64_t> device_queue;
    std::array<std::int64_t, 4> states{};
    std::int64_t busy = 0;
    std::int64_t now = 0;
    std::array<int, 4> depths{};
    const auto pass = [&](std::int64_t time) {
        host[depths[0]] += time - now;
        device_queue[depths[1]] += time - now;
        busy += depths[2] > 0 ? time - now : 0;
        states[(depths[0] > 0 ? 1U : 0U) + (depths[3] > 0 ? 2U : 0U)] += time - now;
        now = time;
    };
    for (const auto& [time, change] : sweep.steps) {
        pass(time);
        for (std::size_t phase = 0; phase < 4; ++phase) {
            depths[phase] += change[phase];
        }
    }
    pass(end);
    const auto check_times = [](const std::vector<std::int64_t>& got, auto& expected) {
        for (std::size_t depth = 0; depth < got.size(); ++depth) {
            CHECK(got[depth] == expected[static_cast<std::int64_t>(depth)]);
            expected.erase(static_cast<std::int64_t>(depth));
        }
        for (const auto& [depth, time] : expected) {
            CHECK(time == 0);
        }
    };
    check_times(track.host_queue_times(end), host);
    check_times(track.device_queue_times(end), device_queue);
    CHECK(track.busy() == busy);
    CHECK(track.states(end).idle == states[0]);
    CHECK(track.states(end).host_only == states[1]);
    CHECK(track.states(end).device_only == states[2]);
    CHECK(track.states(end).both == states[3]);
}

constexpr Life whole(std::int64_t queued, std::int64_t submitted, std::int64_t started,
                     std::int64_t completed)
{
    return {{queued, submitted, started, completed}, 15};
}

} // namespace

TEST_CASE("occupancy_when_many_lives_then_equals_sweep")
{
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        Random random{seed};
        constexpr std::uint32_t processes = 6;
        const auto lives = random_lives(random, 30'000, processes);
        std::int64_t end = 0;
        for (const Placed& placed : lives) {
            end = std::max(end, placed.life.times[3]);
        }
        end += 10;
        Occupancy occupancy;
        occupancy.begin_at(0);
        std::vector<Sweep> rings(2);
        std::vector<Sweep> each(processes);
        occupancy.add_ring();
        occupancy.add_ring();
        for (std::uint32_t process = 0; process < processes; ++process) {
            occupancy.add_process(process % 2);
        }
        for (const Placed& placed : lives) {
            occupancy.add(placed.process, placed.life, placed.life.times[0]);
            rings[placed.process % 2].add(placed.life, end);
            each[placed.process].add(placed.life, end);
        }
        occupancy.finish(end);
        CHECK(occupancy.out_of_order() == 0);
        check_track(occupancy.ring(0), rings[0], end);
        check_track(occupancy.ring(1), rings[1], end);
        for (std::uint32_t process = 0; process < processes; ++process) {
            check_track(occupancy.process(process), each[process], end);
        }
    }
}

TEST_CASE("occupancy_when_life_comes_late_then_counts_what_the_ring_has_not_passed")
{
    Occupancy occupancy;
    occupancy.begin_at(0);
    const std::uint32_t busy_ring = occupancy.add_ring();
    const std::uint32_t idle_ring = occupancy.add_ring();
    const std::uint32_t busy = occupancy.add_process(busy_ring);
    const std::uint32_t idle = occupancy.add_process(idle_ring);
    constexpr std::int64_t count = 100'000;
    for (std::int64_t time = 0; time < count; ++time) {
        const std::int64_t begin = 10 * time;
        occupancy.add(busy, whole(begin, begin + 1, begin + 2, begin + 9), begin);
    }
    constexpr std::int64_t end = 10 * count + 100;
    // Nothing happened on its ring since: as if it had come in time.
    occupancy.add(idle, whole(50, 60, 70, end - 10), 50);
    CHECK(occupancy.out_of_order() == 0);
    // Its ring has gone on: only the part after what is settled counts.
    occupancy.add(busy, whole(50, 60, 70, end - 10), 50);
    CHECK(occupancy.out_of_order() == 1);
    occupancy.finish(end);
    Sweep sweep;
    sweep.add(whole(50, 60, 70, end - 10), end);
    check_track(occupancy.ring(idle_ring), sweep, end);
    check_track(occupancy.process(idle), sweep, end);
    CHECK(occupancy.ring(busy_ring).busy() >= 7 * count);
    CHECK(occupancy.ring(busy_ring).busy() < end - 10 - 70);
}

TEST_CASE("step_buffer_when_steps_are_taken_then_they_are_in_order_and_equal_times_keep_theirs")
{
    Random random{7};
    for (const std::int64_t spread :
         {std::int64_t{3}, std::int64_t{1} << 20, std::int64_t{1} << 61}) {
        StepBuffer buffer;
        std::vector<Step> expected;
        for (std::uint32_t index = 0; index < 20'000; ++index) {
            const Step step{pick(random, -spread, spread), index, 0};
            const bool is_wanted = pick(random, 0, 9) > 0;
            buffer.reserve(1);
            buffer.push_if(is_wanted, step);
            if (is_wanted) {
                expected.push_back(step);
            }
        }
        std::stable_sort(expected.begin(), expected.end(), [](const Step& left, const Step& right) {
            return left.time < right.time;
        });
        std::size_t next = 0;
        bool is_same = true;
        for (const std::int64_t limit : {-spread / 2, spread / 3, spread / 3, spread + 1}) {
            for (const Step& step : buffer.take_before(limit)) {
                is_same = is_same && step.time < limit && step.time == expected[next].time &&
                          step.process == expected[next].process;
                ++next;
            }
        }
        CHECK(is_same);
        CHECK(next == expected.size());
    }
}

TEST_CASE("interval_union_when_intervals_overlap_then_counts_each_nanosecond_once")
{
    Random random{11};
    for (int round = 0; round < 200; ++round) {
        IntervalUnion all;
        std::vector<bool> covered(2000);
        std::int64_t end = 0;
        for (int index = 0; index < 60; ++index) {
            end += pick(random, 0, 30);
            const std::int64_t begin =
                std::max<std::int64_t>(0, end - pick(random, 0, index % 10 == 0 ? 1500 : 40));
            CHECK(all.add(begin, end));
            std::fill(covered.begin() + begin, covered.begin() + end, true);
        }
        CHECK(all.length() == std::count(covered.begin(), covered.end(), true));
    }
}

TEST_CASE("interval_union_when_reaching_back_too_far_then_says_so")
{
    IntervalUnion all;
    for (std::int64_t index = 0; index < 10'000; ++index) {
        CHECK(all.add(10 * index, 10 * index + 5));
    }
    CHECK(all.length() == 50'000);
    CHECK_FALSE(all.add(0, 100'000));
    CHECK(all.length() > 50'000);
    CHECK(all.length() < 100'000);
}
