// SPDX-License-Identifier: MIT
//
// Random numbers that are the same on every machine and compiler for one seed,
// which those of the standard library's distributions are not.
#pragma once

#include <cstdint>

namespace lttng_gpu::simulator {

/// splitmix64 (Steele, Lea, Flood 2014).
class Random {
public:
    explicit Random(std::uint64_t seed) : m_state{seed} {}

    std::uint64_t next()
    {
        m_state += 0x9e3779b97f4a7c15ULL;
        std::uint64_t mixed = m_state;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
        return mixed ^ (mixed >> 31U);
    }
    /// From low to high, both included.
    std::int64_t between(std::int64_t low, std::int64_t high)
    {
        const auto span = static_cast<std::uint64_t>(high - low) + 1;
        return low + static_cast<std::int64_t>(next() % span);
    }
    /// Below `count`, which is not 0.
    std::uint32_t index(std::size_t count) { return static_cast<std::uint32_t>(next() % count); }
    bool chance(double probability)
    {
        return static_cast<double>(next() >> 11U) * 0x1p-53 < probability;
    }
    /// Lengths spread evenly over magnitudes: as many short ones as long ones.
    std::int64_t spread(std::int64_t low, std::int64_t high)
    {
        std::int64_t top = low;
        while (top < high && chance(0.75)) {
            top *= 2;
        }
        return between(low, top < high ? top : high);
    }

private:
    std::uint64_t m_state;
};

} // namespace lttng_gpu::simulator
