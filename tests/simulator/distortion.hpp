// SPDX-License-Identifier: MIT
//
// What happens to a stream between the driver and the reader: coarse or skewed
// clocks first (retime), then events that go missing or come twice (damage).
// What is lost is announced as the tracer would.
#pragma once

#include "random.hpp"
#include "stream.hpp"

namespace lttng_gpu::simulator {

struct Distortion {
    Time grain = 1;  // the clock's; equal times of different CPUs come in any order
    Time skew = 0;   // most that a CPU's clock is ahead or behind
    double loss = 0; // gaps per event
    trace::LossUnit unit = trace::LossUnit::Events;
    bool is_late = false; // each CPU's buffer begins at another time
    bool is_cut_at_begin = false;
    bool is_cut_at_end = false;
    double duplicate = 0; // chance of each event

    bool is_any() const
    {
        return grain > 1 || skew > 0 || loss > 0 || is_late || is_cut_at_begin || is_cut_at_end ||
               duplicate > 0;
    }
};

void retime(Stream& stream, const Distortion& distortion, Random& random);
void damage(Stream& stream, const Distortion& distortion, Random& random);

} // namespace lttng_gpu::simulator
