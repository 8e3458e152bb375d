// SPDX-License-Identifier: MIT
//
// dies_writing COUNT [CPU]: writes COUNT events on that CPU and dies while it writes one more: what
// the event copies is not mapped, so that LTTng has taken room in the buffer and never gives it
// back. That is what a SIGKILL or an OOM kill leaves when it comes between the two.
#include "provider.h"

#include <cstdlib>
#include <sched.h>
#include <sys/mman.h>

int main(int count, char** words)
{
    const unsigned number = count > 1 ? unsigned(std::atoi(words[1])) : 1000;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(count > 2 ? std::atoi(words[2]) : 0, &cpus);
    sched_setaffinity(0, sizeof cpus, &cpus);
    const char readable[64] = {};
    for (unsigned i = 0; i < number; ++i)
        lttng_ust_tracepoint(lttng_gpu_dying, event, i, readable);
    void* unmapped = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    lttng_ust_tracepoint(lttng_gpu_dying, event, number, static_cast<const char*>(unmapped));
}
