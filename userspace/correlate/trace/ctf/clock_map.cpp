// SPDX-License-Identifier: MIT
#include "clock_map.hpp"

namespace lttng_gpu::trace::ctf {
namespace {

constexpr std::uint64_t nanosecond = 1'000'000'000;

} // namespace

ClockMap::ClockMap(const ClockClass& clock) : m_frequency{clock.frequency}
{
    m_is_nanoseconds = m_frequency == nanosecond;
    std::int64_t seconds = 0;
    m_is_usable =
        m_frequency > 0 && !__builtin_mul_overflow(clock.offset_seconds,
                                                   static_cast<std::int64_t>(nanosecond), &seconds);
    if (!m_is_nanoseconds) {
        m_offset_cycles = clock.offset_cycles;
        m_offset = seconds;
        return;
    }
    m_is_usable =
        m_is_usable && clock.offset_cycles <= INT64_MAX &&
        !__builtin_add_overflow(seconds, static_cast<std::int64_t>(clock.offset_cycles), &m_offset);
}

bool ClockMap::scale(std::uint64_t cycles, std::int64_t& nanoseconds) const
{
    __extension__ using Wide = unsigned __int128;
    const Wide scaled = (static_cast<Wide>(cycles) + m_offset_cycles) * nanosecond / m_frequency;
    return scaled <= INT64_MAX &&
           !__builtin_add_overflow(static_cast<std::int64_t>(scaled), m_offset, &nanoseconds);
}

} // namespace lttng_gpu::trace::ctf
