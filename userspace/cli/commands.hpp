// SPDX-License-Identifier: MIT
//
// The commands, from command line to exit code. Results go to the output the
// options name; everything a person must know goes to `errors`, one line each,
// beginning with the program's name.
#pragma once

#include "options.hpp"

namespace lttng_gpu::cli {

enum ExitCode : int {
    exit_fine = 0,
    exit_nothing_to_report = 1,
    exit_bad_arguments = 2,
    exit_unreadable_trace = 3,
    exit_damaged_trace = 4,
    exit_internal_error = 5, // or out of memory
};

/// `help` takes the texts of --help and --version. An exception that nobody expected is
/// an internal error and one line on `errors`.
int run_command_line(int argc, const char* const* argv, std::ostream& help, std::ostream& errors);

} // namespace lttng_gpu::cli
