// SPDX-License-Identifier: MIT
//
// Entry of the program lttng-gpu. Everything is in cli/; here only the process
// wide things are set: a closed pipe is an error to report, not a signal to die
// of; a file that shrinks is one line and not an abort.
#include "commands.hpp"
#include "sigbus_handler.hpp"

#include <csignal>
#include <iostream>

int main(int argc, char** argv)
{
    std::signal(SIGPIPE, SIG_IGN);
    lttng_gpu::cli::install_sigbus_handler();
    return lttng_gpu::cli::run_command_line(argc, argv, std::cout, std::cerr);
}
