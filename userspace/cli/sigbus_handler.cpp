// SPDX-License-Identifier: MIT
//
// See sigbus_handler.hpp.
#include "sigbus_handler.hpp"

#include "commands.hpp"

#include <csignal>
#include <string_view>
#include <unistd.h>

namespace lttng_gpu::cli {
namespace {

constexpr std::string_view message =
    "lttng-gpu: a file of the trace was truncated while it was read\n";

/// Only what signal-safety(7) allows.
[[noreturn]] void on_bus_error(int)
{
    // If this fails, too, there is no other way to report it.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
    ::_exit(exit_damaged_trace);
}

} // namespace

void install_sigbus_handler()
{
    std::signal(SIGBUS, on_bus_error);
}

} // namespace lttng_gpu::cli
