// SPDX-License-Identifier: MIT
//
// The clock of LTTng-UST's events, CLOCK_MONOTONIC, for the times at which calls begin. Reading it
// costs as much as a third of an event. Where the kernel itself makes this clock of the processor's
// time stamp counter, a thread reads it every 65536 ticks (25 us) only, and counts ticks from
// there.
//
// Such a time is at most 200 ns (as a rule 15 ns) earlier than the clock's: the counter is read
// after the clock, so that the time in between is missing, and a pair of which that took longer is
// not used. It is not later as long as the clock runs at the rate of its last 10 ms to 1 s within
// what the pair is early by: 15 ns in 25 us are 600 ppm, and NTP slews it by 500 ppm at most. A
// program that turns the clock's rate by more (adjtimex() can by 10 %) makes times late by that
// much of 25 us, until a reading of the clock shows it: then ticks are not counted before there is
// a new rate.
#pragma once

#include <stdint.h>
#include <time.h>

#include "thread_state.hpp"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace lttng_gpu {

/// Nanoseconds of CLOCK_MONOTONIC, by the kernel.
inline uint64_t read_clock_ns()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return uint64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// To be called once; until then, and wherever the counter is not to be trusted, the kernel is
/// asked.
void find_counter();

#if defined(__x86_64__)

struct ClockAnchor {
    uint64_t ticks;
    uint64_t ns;
};

extern uint32_t counter_rate; ///< ns per tick in 2^-32; 0: do not count
constexpr uint64_t anchor_ticks = 65536;
extern thread_local ClockAnchor clock_anchor __attribute__((tls_model("initial-exec")));

uint64_t renew_anchor();
/// Another thread of the parent may have been at work.
void renew_clock_in_child();

/// Nanoseconds of CLOCK_MONOTONIC.
inline uint64_t now_ns()
{
    if (is_in_section())
        return read_clock_ns();
    const Section section; // the anchor is two words
    const uint32_t rate = __atomic_load_n(&counter_rate, __ATOMIC_RELAXED);
    if (__builtin_expect(rate != 0, 1)) {
        const uint64_t ticks = __rdtsc() - clock_anchor.ticks;
        if (__builtin_expect(ticks < anchor_ticks, 1))
            return clock_anchor.ns + (ticks * rate >> 32);
    }
    return renew_anchor();
}

#else

inline void renew_clock_in_child() {}
inline uint64_t now_ns()
{
    return read_clock_ns();
}

#endif

} // namespace lttng_gpu
