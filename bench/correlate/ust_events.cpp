// SPDX-License-Identifier: MIT
//
// ust-events EVENTS: two threads, each on its own CPU where there are two, record
// EVENTS events together through LTTng-UST as fast as they can. Whether any are
// lost depends on the session (see bench/correlate/run).
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "bench/correlate/ust_events_provider.h"

#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <thread>

namespace {

void record(std::uint32_t thread, std::uint64_t events)
{
    cpu_set_t cpu;
    CPU_ZERO(&cpu);
    CPU_SET(thread % std::thread::hardware_concurrency(), &cpu);
    sched_setaffinity(0, sizeof cpu, &cpu); // where it may not, it runs anywhere
    std::uint32_t value = thread + 1;
    for (std::uint64_t number = 0; number < events; ++number) {
        value = value * 1664525U + 1013904223U;
        lttng_ust_tracepoint(lttng_gpu_bench, step, number, thread, value,
                             (value >> 31U) != 0 ? "odd" : "even");
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) {
        std::fprintf(stderr, "usage: ust-events EVENTS\n");
        return 2;
    }
    const std::uint64_t events = std::strtoull(argv[1], nullptr, 10);
    std::thread other{record, 1, events / 2};
    record(0, events - events / 2);
    other.join();
    return 0;
}
