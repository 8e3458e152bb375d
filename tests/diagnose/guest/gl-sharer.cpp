// SPDX-License-Identifier: MIT
// gl-sharer: keeps the GPU busy when it is told to. Reads a line with a number of draws from
// standard input, makes them by OpenGL ES on no display, and writes from when to when that took
// (CLOCK_MONOTONIC).
#include "slow_triangle.hpp"

#include <cstdio>
#include <ctime>

namespace {

long long now_ns()
{
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

} // namespace

int main()
{
    const lttng_gpu::guest::SlowTriangle triangle;
    std::fprintf(stderr, "gl-sharer: %s\n", triangle.renderer());
    std::printf("ready\n");
    std::fflush(stdout);
    int draws = 0;
    while (std::scanf("%d", &draws) == 1) {
        const long long begin = now_ns();
        triangle.draw(draws);
        std::printf("%lld %lld\n", begin, now_ns());
        std::fflush(stdout);
    }
    return 0;
}
