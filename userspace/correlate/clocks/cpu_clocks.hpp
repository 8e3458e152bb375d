// SPDX-License-Identifier: MIT
//
// Whether the clocks of a trace's CPUs agree (ftrace's default clock, trace_clock_local(), may
// differ between CPUs where the time stamp counters do). An effect never comes before its cause:
// each pair of such events on two CPUs bounds how much the one clock is ahead of the other. When
// some effects do come first, offsets are found that put all in order, each in the middle
// of what the pairs allow; half of what they allow is its error.
#pragma once

#include "../base/ids.hpp"
#include "../base/per_trace.hpp"
#include "../base/time.hpp"

#include <optional>
#include <vector>

namespace lttng_gpu::model {

/// To be added to the times of one CPU.
struct CpuOffset {
    Cpu cpu;
    Duration offset;
    Duration error;
};

class CpuClocks {
public:
    struct Moment {
        Cpu cpu;
        Timestamp time;
    };

    void note(TraceId trace, Moment cause, Moment effect)
    {
        if (cause.cpu != effect.cpu) {
            note_pair(trace, cause, effect);
        }
    }

    /// Those in which an effect came before its cause.
    const std::vector<TraceId>& traces() const { return m_disordered; }
    /// Of a trace in which effects came before their causes: offsets of all its CPUs, or nothing
    /// when no constant offsets put them in order. No value: its clocks agree.
    std::optional<std::vector<CpuOffset>> find_offsets(TraceId trace);

private:
    /// More CPUs than this are not looked at.
    static constexpr std::uint32_t most_cpus = 256;

    struct Pairs {
        std::uint32_t cpus = 0;
        /// Least (effect - cause) by cause * cpus + effect; m_nothing where there is no pair.
        std::vector<std::int64_t> least;
        bool has_disorder = false;
    };

    void note_pair(TraceId trace, Moment cause, Moment effect);
    static void grow(Pairs& pairs, std::uint32_t cpus);

    PerTrace<Pairs> m_traces;
    std::vector<TraceId> m_disordered;
};

} // namespace lttng_gpu::model
