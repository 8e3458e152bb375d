// SPDX-License-Identifier: MIT
//
// The times of one clock, from what the metadata says of it.
#pragma once

#include "metadata/schema.hpp"

namespace lttng_gpu::trace::ctf {

/// Cycles to nanoseconds since the origin.
class ClockMap {
public:
    ClockMap() = default;
    explicit ClockMap(const ClockClass& clock);

    /// Cycles up to this one are nanoseconds but for the offset, and fit.
    std::uint64_t simple_limit() const
    {
        return m_is_nanoseconds
                   ? static_cast<std::uint64_t>(INT64_MAX - (m_offset > 0 ? m_offset : 0))
                   : 0;
    }
    std::int64_t offset() const { return m_offset; }

    /// False when the time does not fit into 64 bits.
    bool to_time(std::uint64_t cycles, std::int64_t& nanoseconds) const
    {
        if (m_is_nanoseconds) {
            return cycles <= INT64_MAX && !__builtin_add_overflow(static_cast<std::int64_t>(cycles),
                                                                  m_offset, &nanoseconds);
        }
        return scale(cycles, nanoseconds);
    }
    /// The offset itself does not fit.
    bool is_usable() const { return m_is_usable; }

private:
    bool scale(std::uint64_t cycles, std::int64_t& nanoseconds) const;

    std::uint64_t m_frequency = 1'000'000'000;
    std::uint64_t m_offset_cycles = 0; // only when not nanoseconds
    std::int64_t m_offset = 0;
    bool m_is_nanoseconds = true;
    bool m_is_usable = true;
};

} // namespace lttng_gpu::trace::ctf
