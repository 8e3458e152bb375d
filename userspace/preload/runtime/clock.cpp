// SPDX-License-Identifier: MIT
#include "clock.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lock.hpp"

namespace lttng_gpu {

uint32_t counter_rate = 0;
thread_local ClockAnchor clock_anchor = {0, 0};

static constexpr uint64_t least_baseline_ns = 10'000'000;
static constexpr uint64_t longest_baseline_ns = 1'000'000'000;
static constexpr uint64_t widest_pair_ns = 200;

/// The two ends of the time over which the rate is taken.
static SpinLock baseline_lock;
static ClockAnchor baseline = {0, 0};
static bool is_counter_trusted = false;

static bool has_invariant_counter()
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}

static bool is_kernels_clock()
{
    char name[8] = "";
    const int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                          O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    const ssize_t bytes = read(file, name, sizeof(name));
    close(file);
    return bytes == 4 && !memcmp(name, "tsc\n", 4);
}

void find_counter()
{
    is_counter_trusted = has_invariant_counter() && is_kernels_clock();
}

/// Called with each good pair. A rate that cannot be ends the counting for good.
static void renew_rate(ClockAnchor pair)
{
    Guard guard(baseline_lock);
    const uint64_t ns = pair.ns - baseline.ns;
    if (!baseline.ns || pair.ns < baseline.ns) {
        if (!baseline.ns)
            baseline = pair;
        return;
    }
    if (ns < least_baseline_ns)
        return;
    const uint64_t ticks = pair.ticks - baseline.ticks;
    // Longer than the clock is steady: start again, with the rate as it was.
    if (ns < 2 * longest_baseline_ns) {
        const double rate = double(ns) / double(ticks) * 4294967296.0;
        const double before = counter_rate;
        const bool is_possible = rate > 0 && rate < 4294967295.0 &&
                                 (before == 0 || (rate > before * 0.998 && rate < before * 1.002));
        if (!is_possible)
            is_counter_trusted = false;
        __atomic_store_n(&counter_rate, is_possible ? uint32_t(rate) : 0, __ATOMIC_RELAXED);
    }
    if (ns > longest_baseline_ns)
        baseline = pair;
}

/// Whether counting on from the anchor would have given a later time than the clock, which stands
/// `width` after `now.ns` at most when the ticks are read. Only near the anchor: over a longer time
/// the clock may have been stopped, or its rate set.
static bool was_late(ClockAnchor anchor, ClockAnchor now, uint64_t width, uint32_t rate)
{
    const uint64_t ticks = now.ticks - anchor.ticks;
    return anchor.ns && ticks < 2 * anchor_ticks &&
           anchor.ns + (ticks * rate >> 32) > now.ns + width;
}

static void forget_rate(ClockAnchor pair)
{
    Guard guard(baseline_lock);
    baseline = pair;
    __atomic_store_n(&counter_rate, 0, __ATOMIC_RELAXED);
}

void renew_clock_in_child()
{
    baseline_lock.unlock();
    baseline = {0, 0};
}

uint64_t renew_anchor()
{
    if (!is_counter_trusted)
        return read_clock_ns();
    const uint64_t before = __rdtsc();
    const uint64_t ns = read_clock_ns();
    const uint64_t ticks = __rdtsc();
    const uint32_t rate = __atomic_load_n(&counter_rate, __ATOMIC_RELAXED);
    // Before the rate is known, a tick is taken to be a nanosecond at most: no counter is slower
    // than 1 GHz.
    const uint64_t width = rate ? (ticks - before) * rate >> 32 : (ticks - before);
    if (width > (rate ? widest_pair_ns : 5 * widest_pair_ns)) {
        clock_anchor = {0, 0};
        return ns;
    }
    if (rate && was_late(clock_anchor, {ticks, ns}, width, rate))
        forget_rate({ticks, ns});
    clock_anchor = {ticks, ns};
    static thread_local uint64_t next_rate_ns __attribute__((tls_model("initial-exec"))) = 0;
    if (ns >= next_rate_ns) {
        next_rate_ns = ns + least_baseline_ns;
        renew_rate({ticks, ns});
    }
    return ns;
}

} // namespace lttng_gpu

#else

void lttng_gpu::find_counter() {}

#endif
