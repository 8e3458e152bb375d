// SPDX-License-Identifier: MIT
//
// Where the zero of a clock lies. Shifting it shifts every time of that clock and no
// number in the trace.
#pragma once

#include <cstdint>

namespace lttng_gpu::exporting {

struct ClockOffset {
    std::int64_t seconds = 0;
    std::uint64_t cycles = 0; // less than the frequency
};

/// `shift_ns` later. With another frequency than 1 GHz to the next whole cycle below.
ClockOffset shifted(ClockOffset offset, std::uint64_t frequency, std::int64_t shift_ns);

} // namespace lttng_gpu::exporting
