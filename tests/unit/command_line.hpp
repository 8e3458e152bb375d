// SPDX-License-Identifier: MIT
//
// lttng-gpu with its command line, in the process of the tests.
#pragma once

#include "cli/commands.hpp"

#include <sstream>
#include <string>
#include <vector>

namespace lttng_gpu::test {

struct Result {
    int code = 0;
    std::string out;
    std::string errors;
};

inline Result run(std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), "lttng-gpu");
    std::vector<const char*> argv;
    for (const std::string& argument : arguments) {
        argv.push_back(argument.c_str());
    }
    std::ostringstream help;
    std::ostringstream errors;
    const int code =
        cli::run_command_line(static_cast<int>(argv.size()), argv.data(), help, errors);
    return {code, help.str(), errors.str()};
}

} // namespace lttng_gpu::test
