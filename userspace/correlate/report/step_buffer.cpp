// SPDX-License-Identifier: MIT
//
// See step_buffer.hpp. A batch spans little time, so that a radix sort of the
// times since its beginning needs two or three passes.
#include "step_buffer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace lttng_gpu::report {
namespace {

constexpr unsigned widest_digit = 12; // its counters fit into the first cache
constexpr std::size_t few = 64;       // not worth counting digits

} // namespace

std::span<const Step> StepBuffer::take_before(std::int64_t time)
{
    x_taken.resize(x_count);
    std::size_t taken = 0;
    std::size_t kept = 0;
    for (std::size_t index = 0; index < x_count; ++index) {
        const Step step = x_steps[index];
        const bool is_taken = step.time < time;
        x_taken[taken] = step;
        x_steps[kept] = step;
        taken += is_taken ? 1 : 0;
        kept += is_taken ? 0 : 1;
    }
    x_taken.resize(taken);
    x_count = kept;
    x_full = std::max(batch, 2 * kept); // each look at what stays is paid for by new steps
    sort_taken();
    return x_taken;
}

void StepBuffer::sort_taken()
{
    const auto by_time = [](const Step& left, const Step& right) { return left.time < right.time; };
    if (x_taken.size() < few) {
        std::stable_sort(x_taken.begin(), x_taken.end(), by_time);
        return;
    }
    std::int64_t first = x_taken.front().time;
    std::int64_t last = first;
    for (const Step& step : x_taken) {
        first = std::min(first, step.time);
        last = std::max(last, step.time);
    }
    const auto base = static_cast<std::uint64_t>(first);
    const auto bits =
        static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(last) - base));
    const unsigned passes = (bits + widest_digit - 1) / widest_digit;
    for (unsigned pass = 0; pass < passes; ++pass) {
        const unsigned digit = (bits + passes - 1) / passes;
        sort_by_digit(base, pass * digit, digit);
    }
}

void StepBuffer::sort_by_digit(std::uint64_t base, unsigned shift, unsigned bits)
{
    const auto digit = [=](const Step& step) {
        return ((static_cast<std::uint64_t>(step.time) - base) >> shift) & ((1ULL << bits) - 1);
    };
    std::array<std::uint32_t, 1U << widest_digit> places;
    std::fill_n(places.begin(), 1U << bits, 0U);
    for (const Step& step : x_taken) {
        ++places[digit(step)];
    }
    std::uint32_t place = 0;
    for (std::size_t value = 0; value < 1U << bits; ++value) {
        place += std::exchange(places[value], place);
    }
    x_scratch.resize(x_taken.size());
    for (const Step& step : x_taken) {
        x_scratch[places[digit(step)]++] = step;
    }
    x_taken.swap(x_scratch);
}

} // namespace lttng_gpu::report
