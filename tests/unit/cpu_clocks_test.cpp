// SPDX-License-Identifier: MIT
//
// Offsets of CPU clocks, found from causes and effects.
#include "clocks/cpu_clocks.hpp"

#include <doctest/doctest.h>
#include <random>

using namespace lttng_gpu;
using model::CpuClocks;

namespace {

CpuClocks::Moment on(std::uint32_t cpu, std::int64_t time)
{
    return {Cpu{cpu}, Timestamp{time}};
}

} // namespace

TEST_CASE("clocks_when_no_effect_comes_first_then_need_no_offsets")
{
    CpuClocks clocks;
    clocks.note(TraceId{}, on(0, 100), on(1, 130));
    clocks.note(TraceId{}, on(1, 200), on(0, 205));
    CHECK_FALSE(clocks.find_offsets(TraceId{}));
}

TEST_CASE("clocks_when_effects_come_first_then_offsets_put_all_in_order")
{
    // true offsets within 50 us; causes and effects 1 us to 100 us apart
    const std::int64_t wrong[] = {0, 43'000, -37'000, 12'000};
    std::mt19937_64 random{5};
    CpuClocks clocks;
    struct Pair {
        CpuClocks::Moment cause;
        CpuClocks::Moment effect;
    };
    std::vector<Pair> pairs;
    for (int count = 0; count < 4000; ++count) {
        const auto cause = static_cast<std::uint32_t>(random() % 4);
        const auto effect = static_cast<std::uint32_t>(random() % 4);
        const std::int64_t time = std::int64_t{count} * 1'000'000;
        const auto later = static_cast<std::int64_t>(1'000 + random() % 100'000);
        pairs.push_back({on(cause, time + wrong[cause]), on(effect, time + later + wrong[effect])});
        clocks.note(TraceId{}, pairs.back().cause, pairs.back().effect);
    }
    const auto offsets = clocks.find_offsets(TraceId{});
    REQUIRE(offsets);
    REQUIRE(offsets->size() == 4);
    for (const Pair& pair : pairs) {
        const auto corrected = [&](const CpuClocks::Moment& moment) {
            return moment.time + (*offsets)[moment.cpu.value()].offset;
        };
        CHECK(corrected(pair.cause) <= corrected(pair.effect));
    }
    for (std::uint32_t cpu = 0; cpu < 4; ++cpu) {
        const model::CpuOffset& offset = (*offsets)[cpu];
        // as nobody's clock is the measure, corrections are taken from the middle of all
        constexpr std::int64_t middle = (43'000 - 37'000) / 2;
        const std::int64_t truth = middle - wrong[cpu];
        CHECK(std::abs(offset.offset.value() - truth) <= 4'000);
        CHECK(offset.error.value() <= 2'000);
    }
}

TEST_CASE("clocks_when_only_one_side_is_bounded_then_offset_is_the_least_that_helps")
{
    CpuClocks clocks;
    clocks.note(TraceId{}, on(0, 100), on(1, 70));
    const auto offsets = clocks.find_offsets(TraceId{});
    REQUIRE(offsets);
    REQUIRE(offsets->size() == 2);
    CHECK((*offsets)[1].offset.value() - (*offsets)[0].offset.value() == 30);
}

TEST_CASE("clocks_when_no_constant_offsets_explain_it_then_there_are_none")
{
    CpuClocks clocks;
    clocks.note(TraceId{}, on(0, 100), on(1, 70));
    clocks.note(TraceId{}, on(1, 200), on(0, 180)); // each is ahead of the other
    const auto offsets = clocks.find_offsets(TraceId{});
    REQUIRE(offsets);
    CHECK(offsets->empty());
}
