// SPDX-License-Identifier: MIT
//
// See clock_offset.hpp.
#include "clock_offset.hpp"

namespace lttng_gpu::exporting {

ClockOffset shifted(ClockOffset offset, std::uint64_t frequency, std::int64_t shift_ns)
{
    if (shift_ns == 0) {
        return offset; // whatever its cycles are
    }
    constexpr std::int64_t second = 1'000'000'000;
    const std::int64_t whole = shift_ns / second - (shift_ns % second < 0 ? 1 : 0);
    const auto rest = static_cast<std::uint64_t>(shift_ns - whole * second);
    constexpr auto unit = static_cast<std::uint64_t>(second);
    const std::uint64_t cycles =
        rest * (frequency / unit) + rest * (frequency % unit) / unit; // nothing overflows
    offset.seconds += whole + static_cast<std::int64_t>((offset.cycles + cycles) / frequency);
    offset.cycles = (offset.cycles + cycles) % frequency;
    return offset;
}

} // namespace lttng_gpu::exporting
