// SPDX-License-Identifier: MIT
//
// When threads were off the CPUs, from sched_switch: so much of the time in a call of an API was no
// CPU time. The latest pauses of all threads are kept, in one table of a fixed size; a call that
// began before the oldest of its thread that is needed is unknown, as is one that began before
// sched_switch was recorded, or in a gap.
#pragma once

#include "../base/time_span.hpp"
#include "../system/thread_table.hpp"
#include "caller_match.hpp"

#include <unordered_map>
#include <vector>

namespace lttng_gpu::model {

class SwitchHistory {
public:
    SwitchHistory(const CallerMatcher& matcher, Machines& machines, const ActorOrigins& origins)
        : m_matcher{matcher}, m_machines{machines}, m_origins{origins}
    {
    }

    /// `previous` left a CPU, for the thread `next` by its number in the initial pid namespace.
    void on_switch(TraceId trace, Timestamp time, const Actor& previous, Tid next);
    /// Events of the trace are missing until then.
    void on_loss(TraceId trace, Timestamp end);

    /// How much of these spans, which are in order and do not overlap, the thread was on a CPU. It
    /// is on one now.
    KnownDuration on_cpu(const Actor& actor, const std::vector<TimeSpan>& spans) const;
    KnownDuration on_cpu(const Actor& actor, const TimeSpan& span) const;

private:
    static constexpr std::size_t most_pauses = 1U << 16U; // 2 MB
    static constexpr std::size_t most_threads = 1U << 16U;

    struct Pause {
        Timestamp begin;
        Timestamp end;
        std::uint64_t before = 0; // the one before it of its thread, 0: none
    };
    struct Thread {
        Actor actor; // as the latest event has it
        Timestamp left;
        bool is_off = false;
        std::uint64_t last = 0; // the latest pause, from 1; 0: none
    };
    /// What one trace tells.
    struct Switches {
        TraceId trace;
        Timestamp known_since;
        std::unordered_map<std::int64_t, Thread> threads; // by the kernel's numbers
        /// Of threads that are not in the initial pid namespace: by their own number in theirs.
        std::unordered_map<std::int64_t, std::int64_t> kernel_tids;
        std::vector<Pause> pauses; // a ring
        std::uint64_t made = 0;
    };

    Switches& switches_of(TraceId trace, Timestamp time);
    static void forget(Switches& switches, Timestamp until);
    const Switches* find_switches(const Actor& actor) const;
    const Thread* find_thread(const Switches& switches, const Actor& actor, bool& is_unsure) const;
    template <typename Length>
    KnownDuration on_cpu(const Actor& actor, const TimeSpan& whole, Duration length,
                         Length off_in) const;

    CallerMatcher m_matcher;
    Machines& m_machines;
    const ActorOrigins& m_origins;
    std::vector<Switches> m_switches; // nearly always one
};

} // namespace lttng_gpu::model
