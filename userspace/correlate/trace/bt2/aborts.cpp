// SPDX-License-Identifier: MIT
//
// See aborts.hpp. C allows abort() to be left by longjmp() from the handler of its signal.
#include "aborts.hpp"

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <pthread.h>

namespace lttng_gpu::trace {
namespace {

// GLib's fatal messages end in a breakpoint.
constexpr std::array numbers{SIGABRT, SIGTRAP};

sigjmp_buf place;
pthread_t thread;
std::atomic<bool> is_armed = false;

void leave(int number)
{
    if (is_armed && ::pthread_equal(thread, ::pthread_self()) != 0) {
        is_armed = false;
        siglongjmp(place, 1); // NOLINT(cert-err52-cpp): the frames that are left are C's
    }
    ::signal(number, SIG_DFL);
    ::raise(number);
}

} // namespace

bool survives_abort(void (*work)(void* of), void* of)
{
    std::array<struct sigaction, numbers.size()> before{};
    struct sigaction action {};
    action.sa_handler = leave;
    ::sigemptyset(&action.sa_mask);
    thread = ::pthread_self();
    for (std::size_t index = 0; index < numbers.size(); ++index) {
        ::sigaction(numbers[index], &action, &before[index]);
    }
    const bool is_left = sigsetjmp(place, 1) != 0; // NOLINT(cert-err52-cpp)
    if (!is_left) {
        is_armed = true;
        work(of);
        is_armed = false;
    }
    for (std::size_t index = 0; index < numbers.size(); ++index) {
        ::sigaction(numbers[index], &before[index], nullptr);
    }
    return !is_left;
}

} // namespace lttng_gpu::trace
