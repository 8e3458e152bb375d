// SPDX-License-Identifier: MIT
//
// See cpu_clocks.hpp. With o the offsets, a pair says (effect + o_effect) >= (cause + o_cause),
// or o_cause - o_effect <= effect - cause: a system of difference constraints, of which shortest
// paths give the tightest form (Cormen et al., Introduction to Algorithms, 24.4).
#include "cpu_clocks.hpp"

#include <algorithm>
#include <limits>

namespace lttng_gpu::model {
namespace {

constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::max();

/// One side only is bounded: then the offset is what puts the events in order and no more.
std::int64_t middle(std::int64_t low, std::int64_t high)
{
    if (low == -nothing && high == nothing) {
        return 0;
    }
    if (low == -nothing || high == nothing) {
        return std::clamp<std::int64_t>(0, low, high);
    }
    return low + (high - low) / 2;
}

} // namespace

void CpuClocks::grow(Pairs& pairs, std::uint32_t cpus)
{
    std::vector<std::int64_t> least(std::size_t{cpus} * cpus, nothing);
    for (std::uint32_t cause = 0; cause < pairs.cpus; ++cause) {
        std::copy_n(pairs.least.begin() + std::ptrdiff_t{cause} * pairs.cpus, pairs.cpus,
                    least.begin() + std::ptrdiff_t{cause} * cpus);
    }
    pairs.least = std::move(least);
    pairs.cpus = cpus;
}

void CpuClocks::note_pair(TraceId trace, Moment cause, Moment effect)
{
    Pairs& pairs = m_traces[trace];
    const std::uint32_t larger = std::max(cause.cpu.value(), effect.cpu.value());
    if (larger >= most_cpus) {
        return;
    }
    if (larger >= pairs.cpus) {
        grow(pairs, larger + 1);
    }
    std::int64_t& least =
        pairs.least[std::size_t{cause.cpu.value()} * pairs.cpus + effect.cpu.value()];
    least = std::min(least, (effect.time - cause.time).value());
    if (least < 0 && !pairs.has_disorder) {
        pairs.has_disorder = true;
        m_disordered.push_back(trace);
    }
}

std::optional<std::vector<CpuOffset>> CpuClocks::find_offsets(TraceId trace)
{
    const Pairs& pairs = m_traces[trace];
    if (!pairs.has_disorder) {
        return {};
    }
    const std::size_t cpus = pairs.cpus;
    // o_row - o_column is at most this
    std::vector<std::int64_t> bound = pairs.least;
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
        bound[cpu * cpus + cpu] = 0;
    }
    for (std::size_t by = 0; by < cpus; ++by) {
        for (std::size_t row = 0; row < cpus; ++row) {
            for (std::size_t column = 0; column < cpus; ++column) {
                const std::int64_t first = bound[row * cpus + by];
                const std::int64_t second = bound[by * cpus + column];
                if (first != nothing && second != nothing) {
                    bound[row * cpus + column] =
                        std::min(bound[row * cpus + column], first + second);
                }
            }
        }
    }
    std::vector<CpuOffset> offsets;
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
        if (bound[cpu * cpus + cpu] < 0) {
            return std::vector<CpuOffset>{}; // a circle of causes that no offsets put in order
        }
    }
    // One CPU after the other gets the middle of what those before it leave.
    std::vector<std::int64_t> chosen(cpus, 0);
    for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
        std::int64_t low = -nothing;
        std::int64_t high = nothing;
        for (std::size_t other = 0; other < cpu; ++other) {
            const std::int64_t above = bound[cpu * cpus + other];
            const std::int64_t below = bound[other * cpus + cpu];
            high = above != nothing ? std::min(high, chosen[other] + above) : high;
            low = below != nothing ? std::max(low, chosen[other] - below) : low;
        }
        chosen[cpu] = cpu == 0 ? 0 : middle(low, high);
        const bool is_bounded = low != -nothing && high != nothing;
        offsets.push_back({Cpu{static_cast<std::uint32_t>(cpu)}, Duration{chosen[cpu]},
                           Duration{is_bounded ? (high - low + 1) / 2 : 0}});
    }
    // No clock is the right one: what is added is as small as can be.
    const auto [least, most] = std::minmax_element(chosen.begin(), chosen.end());
    const std::int64_t middle_of_all = *least + (*most - *least) / 2;
    for (CpuOffset& offset : offsets) {
        offset.offset = Duration{offset.offset.value() - middle_of_all};
    }
    return offsets;
}

} // namespace lttng_gpu::model
