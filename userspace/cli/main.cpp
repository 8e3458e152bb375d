// SPDX-License-Identifier: MIT
//
// Entry of the program lttng-gpu. Everything is in cli/; here only the process
// wide things are set: a closed pipe is an error to report, not a signal to die
// of; a file that shrinks is one line and not an abort; a standard stream that is closed
// does not become the next file that is opened.
#include "commands.hpp"
#include "sigbus_handler.hpp"

#include <csignal>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace {

/// Programs that are run find it closed, as it was.
void occupy_closed_streams()
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (fcntl(stream, F_GETFD) < 0) {
            open("/dev/null", O_RDWR | O_CLOEXEC); // gets the lowest free number
        }
    }
}

} // namespace

int main(int argc, char** argv)
{
    occupy_closed_streams();
    std::signal(SIGPIPE, SIG_IGN);
    lttng_gpu::cli::install_sigbus_handler();
    return lttng_gpu::cli::run_command_line(argc, argv, std::cout, std::cerr);
}
