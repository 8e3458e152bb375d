// SPDX-License-Identifier: MIT
//
// See interruption.hpp.
#include "interruption.hpp"

#include <csignal>
#include <initializer_list>

namespace lttng_gpu::cli {
namespace {

/// All that a signal handler may touch.
volatile std::sig_atomic_t has_been_interrupted = 0;

void on_signal(int)
{
    has_been_interrupted = 1;
}

} // namespace

void take_interruptions()
{
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int number : {SIGINT, SIGTERM}) {
        sigaction(number, &action, nullptr);
    }
}

bool is_interrupted()
{
    return has_been_interrupted != 0;
}

} // namespace lttng_gpu::cli
