// SPDX-License-Identifier: MIT
//
// From when to when each CPU of a trace was seen to be recorded. Where the tracer states it
// (packets of LTTng) that is exact; else it is from the first event to the last, wanted or not. A
// silence at an end says nothing by itself: the CPU may have been idle.
#pragma once

#include "../base/ids.hpp"
#include "../base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lttng_gpu::trace {

struct CpuCoverage {
    TraceId trace;
    Cpu cpu;
    std::uint64_t events = 0; // 0: the trace names the CPU, but has no event of it
    Timestamp first;
    Timestamp last;
    Duration longest_pause; // between two events
    bool is_exact = false;  // stated by the tracer; events and pauses are not counted then
    /// The tracer states that it has all events of this CPU: where it is silent, nothing happened.
    bool is_whole = false;
};

/// Counts the events of one trace.
class CoverageCounter {
public:
    void note(std::uint32_t cpu, Timestamp time)
    {
        if (cpu >= m_cpus.size()) {
            expect(cpu + 1);
        }
        CpuCoverage& coverage = m_cpus[cpu];
        if (coverage.events++ == 0) {
            coverage.first = coverage.last = time;
            return;
        }
        coverage.longest_pause = std::max(coverage.longest_pause, time - coverage.last);
        coverage.last = std::max(coverage.last, time);
    }
    /// The trace says that it is of so many CPUs.
    void expect(std::uint32_t cpus)
    {
        for (auto cpu = static_cast<std::uint32_t>(m_cpus.size()); cpu < cpus; ++cpu) {
            m_cpus.push_back({{}, Cpu{cpu}, 0, {}, {}, {}, false, false});
        }
    }

    const std::vector<CpuCoverage>& cpus() const { return m_cpus; }

private:
    std::vector<CpuCoverage> m_cpus; // by number
};

} // namespace lttng_gpu::trace
