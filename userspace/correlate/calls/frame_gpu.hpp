// SPDX-License-Identifier: MIT
//
// What the layers' timestamps tell of a frame, and when the program learned that the GPU had done
// it: the return of the first call that does nothing but wait, which was under way at that moment.
// A wait that began later found it done; the program could have known before.
#pragma once

#include "../base/time_span.hpp"
#include "frame.hpp"

#include <deque>
#include <vector>

namespace lttng_gpu::model {

/// A command of an API on the GPU, on the trace's clock.
struct GpuSpan {
    KnownTime begin;
    KnownTime end;
    Duration error{};
};

/// The figures of the frame that are those of its commands.
void sum_up_commands(Frame& frame, const std::vector<GpuSpan>& commands);

/// Waits of a program, of all its threads.
class ProgramWaits {
public:
    void add(const TimeSpan& wait);
    /// Of something that ended then, or earlier by the error of the clock.
    KnownTime learned(Timestamp end, Duration error) const;

private:
    static constexpr std::size_t most_waits = 1024;

    std::deque<TimeSpan> m_waits; // by their ends
};

} // namespace lttng_gpu::model
