// SPDX-License-Identifier: MIT
//
// See step_buffer.hpp. A batch spans little time, so that a radix sort of the
// times since its beginning needs two or three passes.
#include "step_buffer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace lttng_gpu::report {
namespace {

constexpr unsigned widest_digit = 12; // its counters fit into the first cache
constexpr unsigned most_passes = (64 + widest_digit - 1) / widest_digit;
constexpr std::size_t few = 64; // not worth counting digits

using Places = std::array<std::uint32_t, 1U << widest_digit>; // by digit

} // namespace

std::span<const Step> StepBuffer::take_before(std::int64_t time)
{
    m_taken.resize(m_count);
    Step* const from = m_steps.data();
    Step* const to = m_taken.data();
    std::size_t taken = 0;
    std::size_t kept = 0;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (std::size_t index = 0; index < m_count; ++index) {
        const Step step = from[index];
        const bool is_taken = step.time < time;
        to[taken] = step;
        from[kept] = step;
        taken += is_taken ? 1 : 0;
        kept += is_taken ? 0 : 1;
        first = std::min(first, step.time);
        last = std::max(last, is_taken ? step.time : last);
    }
    m_taken.resize(taken);
    m_count = kept;
    m_full = std::max(batch, 2 * kept); // each look at what stays is paid for by new steps
    sort_taken(first, last);
    return m_taken;
}

/// `first` is not after any of them, `last` not before.
void StepBuffer::sort_taken(std::int64_t first, std::int64_t last)
{
    if (m_taken.size() < few) {
        std::stable_sort(m_taken.begin(), m_taken.end(), [](const Step& left, const Step& right) {
            return left.time < right.time;
        });
        return;
    }
    const std::uint64_t span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    sort_by_digits(first, static_cast<unsigned>(std::bit_width(span)));
}

/// Least digit first. All digits are counted in one go, because that order does not
/// change how often a digit occurs.
void StepBuffer::sort_by_digits(std::int64_t first, unsigned bits)
{
    const unsigned passes = (bits + widest_digit - 1) / widest_digit;
    if (passes == 0) {
        return; // all at the same time
    }
    const unsigned width = (bits + passes - 1) / passes;
    const std::uint64_t mask = (1ULL << width) - 1;
    const auto base = static_cast<std::uint64_t>(first);
    std::array<Places, most_passes> places; // of which the used part is filled below
    for (unsigned pass = 0; pass < passes; ++pass) {
        std::fill_n(places[pass].begin(), mask + 1, 0U);
    }
    for (const Step& step : m_taken) {
        std::uint64_t digits = static_cast<std::uint64_t>(step.time) - base;
        for (unsigned pass = 0; pass < passes; ++pass, digits >>= width) {
            ++places[pass][digits & mask];
        }
    }
    m_scratch.resize(m_taken.size());
    for (unsigned pass = 0; pass < passes; ++pass) {
        std::uint32_t place = 0;
        for (std::uint64_t value = 0; value <= mask; ++value) {
            place += std::exchange(places[pass][value], place);
        }
        Step* const sorted = m_scratch.data();
        const unsigned shift = pass * width;
        for (const Step& step : m_taken) {
            const std::uint64_t digits = static_cast<std::uint64_t>(step.time) - base;
            sorted[places[pass][(digits >> shift) & mask]++] = step;
        }
        m_taken.swap(m_scratch);
    }
}

} // namespace lttng_gpu::report
